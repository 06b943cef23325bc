// How a user uploads, stored in this browser.
import { followStored, writeStored } from '../../model/storage.ts'
import { createStore, type Store } from '../../model/store.ts'

export interface UploadPref extends Store<boolean> {
  change: (isOn: boolean) => void
}

/** Several files at a time go into the queue; else one is sent at a time. */
export const severalFiles = createPref('upload_several')

/** Nothing is converted to WebP. */
export const keptPhotographs = createPref('keep_photographs')

function createPref(key: string): UploadPref {
  const store = createStore(false)
  followStored(key, (text) => store.set(text === 'yes'))
  return {
    ...store,
    change(isOn) {
      writeStored(key, isOn ? 'yes' : null)
      store.set(isOn)
    },
  }
}
