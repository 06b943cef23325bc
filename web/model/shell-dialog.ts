// Which of the two dialogs of every page is open: the command palette, or the list of the keys.
import { createStore, useStore } from './store.ts'

export type ShellDialog = 'palette' | 'shortcuts'

/** One opening: a dialog reports its closing late, when the next one may already be open. */
export interface Opening {
  dialog: ShellDialog
  id: number
}
let openings = 0

const opened = createStore<Opening | null>(null)
export const useShellDialog = () => useStore(opened)

export function openShellDialog(dialog: ShellDialog): Opening {
  const opening = { dialog, id: ++openings }
  opened.set(opening)
  return opening
}

export function closeShellDialog(opening: Opening): void {
  if (opened.get() === opening) opened.set(null)
}
