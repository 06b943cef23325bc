import { Fragment } from 'react'
import { setShortcutsOn, useShortcutsOn } from '../../model/shortcut-prefs.ts'
import { shortcuts } from '../../texts/shell-messages.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Switch } from '../../ui/forms/switch.tsx'

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

/** The list of all keys, and the switch for single-key shortcuts (WCAG 2.1.4). */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const isOn = useShortcutsOn()
  return (
    <Dialog title={shortcuts.title} size="wide" onClose={onClose}>
      <div className="rounded-control bg-surface-2 px-4 py-3">
        <Switch label={shortcuts.off} text={shortcuts.offText} isOn={isOn} onChange={setShortcutsOn} />
      </div>
      <div className="gap-x-10 max-md:-mb-6 md:columns-2">
        {shortcuts.groups.map(({ title, keys }, at) => (
          <section key={title} aria-labelledby={`keys-${at}`} className="mb-6 break-inside-avoid">
            <h3 id={`keys-${at}`} className="mb-2 text-h3">
              {title}
            </h3>
            <dl className="text-dense">
              {keys.map(([ways, does]) => (
                <div
                  key={does}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-border py-1.5"
                >
                  <dt className="text-text-2">{does}</dt>
                  <dd className="flex flex-wrap items-center gap-1">
                    <Ways ways={ways} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function Ways({ ways }: { ways: readonly string[] }) {
  return ways.map((way, at) => (
    <Fragment key={way}>
      {at > 0 && <span className="sr-only">{shortcuts.or}</span>}
      {keysOf(way).map((key) => (
        <kbd key={key} className="kbd">
          {key}
        </kbd>
      ))}
    </Fragment>
  ))
}

/** 'Arrow keys' is one name; other entries are keys separated by spaces. */
const keysOf = (way: string) => way.replace('Mod', isMac ? '⌘' : 'Ctrl').split(/ (?!keys)/)
