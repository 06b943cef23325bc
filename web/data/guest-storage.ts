// The key `guest_images` of local storage as text: all that the first script of the page needs to know is whether there is any.
import { readStored, writeStored } from './storage.ts'
import { createStore, useStore } from './store.ts'

const key = 'guest_images'

export const guestStorage = createStore<string | null>(null)

if (typeof document !== 'undefined') {
  guestStorage.set(readStored(key))
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) guestStorage.set(readStored(key))
  })
}

export function writeGuestStorage(json: string): void {
  writeStored(key, json)
  guestStorage.set(json)
}

/** Another tab may have written since; where storage is refused, this visit's own text is all there is. */
export const readGuestStorage = () => readStored(key) ?? guestStorage.get()

export function useHasGuestImages(): boolean {
  const json = useStore(guestStorage)
  return json !== null && json !== '[]'
}
