// The settings of this browser; none is sent to the server.
import { Monitor, Moon, Sun } from 'lucide-react'
import { setShortcutsOn, useShortcutsOn } from '../../model/shortcut-prefs.ts'
import { openShellDialog } from '../../model/shell-dialog.ts'
import { setTheme, useTheme } from '../../model/theme.ts'
import { ownAccount } from '../../texts/account-messages.ts'
import { Switch } from '../../ui/forms/switch.tsx'
import { AccountSection } from './account-section.tsx'

const texts = ownAccount.look
const themes = [
  ['system', Monitor],
  ['light', Sun],
  ['dark', Moon],
] as const

export function AppearanceSection() {
  const theme = useTheme()
  const areShortcutsOn = useShortcutsOn()
  return (
    <AccountSection title={texts.title}>
      <fieldset className="grid justify-items-start gap-1.5">
        <legend className="mb-1.5 font-medium">{texts.theme}</legend>
        <div className="segments">
          {themes.map(([name, Icon]) => (
            <label key={name} className="segment">
              <input
                className="sr-only"
                type="radio"
                name="theme"
                checked={theme === name}
                onChange={() => setTheme(name)}
              />
              <Icon className="size-4" aria-hidden />
              {texts.themes[name]}
            </label>
          ))}
        </div>
      </fieldset>
      <Switch label={texts.shortcuts} text={texts.shortcutsText} isOn={areShortcutsOn} onChange={setShortcutsOn} />
      <button
        type="button"
        className="link justify-self-start py-1 coarse:min-h-11"
        onClick={() => openShellDialog('shortcuts')}
      >
        {texts.shortcutsList}
      </button>
    </AccountSection>
  )
}
