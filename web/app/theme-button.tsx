import { Moon, Sun, SunMoon } from 'lucide-react'
import { setTheme, themeAfter, useTheme } from '../data/theme.ts'
import { header } from '../notify/messages.ts'

const icons = { system: SunMoon, light: Sun, dark: Moon }

/** Goes round: as the system says, light, dark. */
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
      <Icon className="size-5" aria-hidden />
    </button>
  )
}
