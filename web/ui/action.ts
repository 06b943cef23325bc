// What can be done with a thing: one table for the hover bar, the phone's sheet, the lightbox and the keyboard.
import type { LucideIcon } from 'lucide-react'

export interface Action<T> {
  id: string
  label: string
  icon: LucideIcon
  /** As in KeyboardEvent.key, lower case: 'c', 'delete'. */
  shortcut?: string
  isDanger?: boolean
  isDisabled?: (thing: T) => boolean
  run: (thing: T) => void | Promise<void>
}
