// Preferences stored in this browser, except the theme.
import { followStored, writeStored } from './browser-storage.ts'
import { createStore, useStore } from './store.ts'

const key = 'shortcuts'
const shortcuts = createStore(true)

/** Whether keys without Ctrl or Cmd are enabled (WCAG 2.1.4). Each such key checks this. */
export const useShortcutsOn = () => useStore(shortcuts)
export const areShortcutsOn = () => shortcuts.get()

followStored(key, (text) => shortcuts.set(text !== 'off'))

export function setShortcutsOn(isOn: boolean): void {
  writeStored(key, isOn ? null : 'off')
  shortcuts.set(isOn)
}
