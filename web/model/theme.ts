// The theme: `data-theme` on <html>, stored as `theme`. index.html sets it before the first paint.
import { followStored, writeStored } from './browser-storage.ts'
import { createStore, useStore } from './store.ts'

const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'theme'
const theme = createStore<Theme>('system')
export const useTheme = () => useStore(theme)

followStored(key, (text) => show(themes.find((name) => name === text) ?? 'system'))

export const nextTheme = (current: Theme): Theme => themes[(themes.indexOf(current) + 1) % themes.length] ?? 'system'

export function setTheme(next: Theme): void {
  writeStored(key, next === 'system' ? null : next)
  show(next)
}

function show(next: Theme): void {
  document.documentElement.dataset.theme = next
  theme.set(next)
}
