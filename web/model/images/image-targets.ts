// What the command palette can do with the images of the dashboard: the selected ones, or the one that has the focus.
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Action } from './action.ts'
import { createStore } from '../store.ts'

export interface ImageTargets {
  selected: readonly Image[]
  /** Of one image. */
  actions: readonly Action<Image>[]
  /** Of several. */
  copyAll: (images: readonly Image[]) => void
  extendAll: (images: readonly Image[]) => void
  deleteAll: (images: readonly Image[]) => void
}

/** Null where no images can be changed. */
export const imageTargets = createStore<ImageTargets | null>(null)
