// A request to open a document for editing, from the edit button of its row. It is not part of the address.
import { createStore, useStore } from '../../../model/store.ts'

const wished = createStore<string | undefined>(undefined)

/** Called before the document is opened. */
export const requestEdit = (id: string) => wished.set(id)

/** Subscribes the document panel, which may be open already when the request arrives. */
export const useEditRequest = (id: string) => useStore(wished) === id

/** @returns true once when `id` was requested for editing */
export function consumeEditRequest(id: string): boolean {
  const isWished = wished.get() === id
  if (isWished) wished.set(undefined)
  return isWished
}
