// An action on an item: one table for the hover bar, the phone's sheet, the lightbox and the keyboard.
import type { LucideIcon } from 'lucide-react'

export interface Action<T> {
  id: string
  label: string
  icon: LucideIcon
  /** A KeyboardEvent.key in lower case: 'c', 'delete'. */
  shortcut?: string
  isDanger?: boolean
  /** Missing: it is for every thing. */
  isFor?: (thing: T) => boolean
  isDisabled?: (thing: T) => boolean
  run: (thing: T) => void | Promise<void>
  /** Other ways of the same, in a menu beside the button where there is space. */
  ways?: readonly ActionWay<T>[]
}

interface ActionWay<T> {
  id: string
  label: string
  isCurrent: boolean
  run: (thing: T) => void | Promise<void>
}
