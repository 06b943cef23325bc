// What the command palette can do with the images of the dashboard: the selected ones, or the one that has the focus.
import type { LucideIcon } from 'lucide-react'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { createStore } from '../store.ts'

interface ImageAction {
  id: string
  label: string
  icon: LucideIcon
  isFor?: (image: Image) => boolean
  isDisabled?: (image: Image) => boolean
  run: (image: Image) => void | Promise<void>
}

export interface ImageTargets {
  selected: readonly Image[]
  /** Of one image. */
  actions: readonly ImageAction[]
  /** Of several. */
  copyAll: (images: readonly Image[]) => void
  extendAll: (images: readonly Image[]) => void
  tagAll: (images: readonly Image[]) => void
  addAllToAlbum: (images: readonly Image[]) => void
  keepAll: (images: readonly Image[]) => void
  chooseExpiryOfAll: (images: readonly Image[]) => void
  deleteAll: (images: readonly Image[]) => void
  changeVisibility: (images: readonly Image[], visibility: Visibility) => void
}

/** Null where no images can be changed. */
export const imageTargets = createStore<ImageTargets | null>(null)
