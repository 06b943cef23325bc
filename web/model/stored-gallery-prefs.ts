// How the gallery is shown, as it is stored in this browser.
import { jsonIn, readStored } from './browser-storage.ts'

export interface GalleryPrefs {
  view: 'grid' | 'list'
  /** Of the grid, in px; undefined: computed from the window. */
  rowHeight: number | undefined
  hasInstructions: boolean
}

export const rowHeights = { min: 120, max: 400, step: 20 }

/** The default: clamp(132px, 7vw + 90px, 340px). */
export const suggestedRowHeight = (windowWidth: number) => Math.min(340, Math.max(132, 0.07 * windowWidth + 90))

/** In local storage. */
export const galleryPrefsKey = 'gallery'

export const readGalleryPrefs = (): GalleryPrefs => parse(readStored(galleryPrefsKey))

function parse(json: string | null): GalleryPrefs {
  const { view, rowHeight, hasInstructions } = Object(jsonIn(json, galleryPrefsKey)) as Record<string, unknown>
  const isHeight = typeof rowHeight === 'number' && rowHeight >= rowHeights.min && rowHeight <= rowHeights.max
  return {
    view: view === 'list' ? 'list' : 'grid',
    rowHeight: isHeight ? rowHeight : undefined,
    hasInstructions: hasInstructions === true,
  }
}
