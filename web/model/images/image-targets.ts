// What the command palette can do with the images of the dashboard: the selected ones, or the one that has the focus.
import type { LucideIcon } from 'lucide-react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { createStore } from '../store.ts'

interface ImageAction {
  id: string
  label: string
  icon: LucideIcon
  isFor?: (image: Image) => boolean
  isDisabled?: (image: Image) => boolean
  run: (image: Image) => void | Promise<void>
}

interface SelectionAction {
  id: string
  icon: LucideIcon
  /** Missing: the palette has it not. */
  command?: string
  isOff?: boolean
  run: () => unknown
}

interface ImageTargets {
  selected: readonly Image[]
  /** Of one image. */
  actions: readonly ImageAction[]
  /** Of those that are selected. */
  ofSelected: readonly SelectionAction[]
}

/** Null where no images can be changed. */
export const imageTargets = createStore<ImageTargets | null>(null)
