// Which of the two dialogs of every page is open: the command palette, or the list of the keys.
import { createStore, useStore } from './store.ts'

export type ShellDialog = 'palette' | 'shortcuts'

/**
 * A new object for each opening: a dialog reports that it was closed a moment later, when the next
 * may be open already.
 */
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
