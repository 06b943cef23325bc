// How a user uploads, stored in this browser.
import { followStored, writeStored } from '../../model/browser-storage.ts'
import { createStore } from '../../model/store.ts'

function storedSwitch(key: string) {
  const store = createStore(false)
  followStored(key, (text) => store.set(text === 'yes'))
  return {
    ...store,
    change(isOn: boolean): void {
      writeStored(key, isOn ? 'yes' : null)
      store.set(isOn)
    },
  }
}

/** Nothing is converted to WebP. */
export const keptPhotographs = storedSwitch('keep_photographs')

/** A folder becomes an album, as long as few are given at once. */
export const keptFolders = storedSwitch('folders_as_albums')

/** Uploads of an account that may keep images never expire. */
export const keptUploads = storedSwitch('keep_uploads')
