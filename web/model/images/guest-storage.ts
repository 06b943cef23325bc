// The key `guest_images` as text: the first script only needs to know whether there is any.
import { followStored, readStored, writeStored } from '../browser-storage.ts'
import { createStore, useStore } from '../store.ts'

const key = 'guest_images'

export const guestStorage = createStore<string | null>(null)

followStored(key, guestStorage.set)

export function writeGuestStorage(json: string): void {
  writeStored(key, json)
  guestStorage.set(json)
}

/** Another tab may have written since; where storage is refused, this page's own text is used. */
export const readGuestStorage = () => readStored(key) ?? guestStorage.get()

let hasHadImages = false

/** Also of those that were deleted on this page, which can be undone. */
export function useHasGuestImages(): boolean {
  const json = useStore(guestStorage)
  return (hasHadImages ||= json !== null && json !== '[]')
}
