// Which of the two dialogs that every page has is open: the command palette, or the list of the keys.
import { createStore, useStore } from './store.ts'

export type ShellDialog = 'palette' | 'shortcuts'

/** Each opening is one of its own: a dialog tells of its closing a moment later, when the next may have been opened. */
export interface Opening {
  dialog: ShellDialog
  id: number
}
let openings = 0

const opened = createStore<Opening | null>(null)
export const useShellDialog = () => useStore(opened)

export const openShellDialog = (dialog: ShellDialog): void => opened.set({ dialog, id: ++openings })

export function closeShellDialog(opening: Opening): void {
  if (opened.get() === opening) opened.set(null)
}
