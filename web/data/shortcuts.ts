// Which of the two dialogs that every page has is open: the command palette, or the list of the keys.
import { createStore, useStore } from './store.ts'

export type ShellDialog = 'palette' | 'shortcuts'

const opened = createStore<ShellDialog | null>(null)
export const useShellDialog = () => useStore(opened)

export const openShellDialog = (dialog: ShellDialog): void => opened.set(dialog)

/** A dialog tells of its closing a moment later, when the other one may have been opened. */
export function closeShellDialog(dialog: ShellDialog): void {
  if (opened.get() === dialog) opened.set(null)
}
