// How the gallery is shown in this browser: the view, the row height, the instructions.
import { writeStored } from '../../model/browser-storage.ts'
import { createStore, useStore } from '../../model/store.ts'
import { type GalleryPrefs, galleryPrefsKey, readGalleryPrefs } from '../../model/stored-gallery-prefs.ts'

const store = createStore<GalleryPrefs>(readGalleryPrefs())
export const useGalleryPrefs = () => useStore(store)

export function changeGalleryPrefs(change: Partial<GalleryPrefs>): void {
  store.set({ ...store.get(), ...change })
  writeStored(galleryPrefsKey, JSON.stringify(store.get()))
}
