// The edit button of a row opens its document for editing: what the address cannot say, and a reload need not keep.
import { createStore, useStore } from '../../../data/store.ts'

const wished = createStore<string | undefined>(undefined)

/** To be said before the document is opened. */
export const wishEdit = (id: string) => wished.set(id)

/** For the document's panel, which may be open already when the wish comes: it then takes it. */
export const useEditWish = (id: string) => useStore(wished) === id

/** Answers whether `id` was to be edited, once. */
export function takeEditWish(id: string): boolean {
  const isWished = wished.get() === id
  if (isWished) wished.set(undefined)
  return isWished
}
