// How a user uploads, stored in this browser.
import { followStored, writeStored } from '../../model/storage.ts'
import { createStore } from '../../model/store.ts'

const key = 'keep_photographs'
const store = createStore(false)
followStored(key, (text) => store.set(text === 'yes'))

/** Nothing is converted to WebP. */
export const keptPhotographs = {
  ...store,
  change(isOn: boolean): void {
    writeStored(key, isOn ? 'yes' : null)
    store.set(isOn)
  },
}
