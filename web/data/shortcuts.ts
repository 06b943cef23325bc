// Which of the two dialogs that every page has is open: the command palette, or the list of the keys.
import { createStore, useStore } from './store.ts'

export type ShellDialog = 'palette' | 'shortcuts'

const opened = createStore<ShellDialog | null>(null)
export const useShellDialog = () => useStore(opened)

export const openShellDialog = (dialog: ShellDialog): void => opened.set(dialog)
export const closeShellDialog = (): void => opened.set(null)
