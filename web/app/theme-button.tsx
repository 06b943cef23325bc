import { Monitor, Moon, Sun } from 'lucide-react'
import { setTheme, themeAfter, useTheme } from '../data/theme.ts'
import { header } from '../texts/messages.ts'

const icons = { system: Monitor, light: Sun, dark: Moon }

/** Cycles through system, light and dark. */
export function ThemeButton() {
  const theme = useTheme()
  const Icon = icons[theme]
  return (
    <button
      type="button"
      className="btn-icon"
      title={header.theme[theme]}
      aria-label={header.theme[theme]}
      onClick={() => setTheme(themeAfter(theme))}
    >
      <Icon className="size-[1.125rem]" aria-hidden />
    </button>
  )
}
