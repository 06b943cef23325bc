import { useEffect, useEffectEvent } from 'react'
import { holdKey } from '../../model/held-keys.ts'
import { areShortcutsOn } from '../../model/shortcut-prefs.ts'
import { isTextField, type ShortcutCommand, shortcutOf } from './site-keymap.ts'

const secondKeyWithinMs = 1500

/**
 * Listens on the document. Ignores keys that another handler prevented, and all keys while a dialog is open.
 * @param takeEarly returns the keys that were pressed before this listener existed
 */
export function useShortcuts(onCommand: (command: ShortcutCommand) => void, takeEarly: () => KeyboardEvent[]): void {
  const runCommand = useEffectEvent(onCommand)
  const early = useEffectEvent(takeEarly)

  useEffect(() => {
    let isAfterG = false
    let timer = 0

    function hear(event: KeyboardEvent): void {
      // Shift is part of a capital letter.
      if (event.key === 'Shift') return
      const situation = { isTyping: isTextField(event.target), isOn: areShortcutsOn(), isAfterG }
      const command = shortcutOf(event, situation)
      isAfterG = false
      if (command === undefined || document.querySelector('dialog[open]') !== null) return
      if (command === 'g') {
        isAfterG = true
        clearTimeout(timer)
        timer = window.setTimeout(() => (isAfterG = false), secondKeyWithinMs)
        return
      }
      event.preventDefault()
      event.stopPropagation()
      runCommand(command)
    }

    const hearLast = (event: KeyboardEvent) => event.defaultPrevented || hear(event)
    // After G the second key has this meaning first: in the grid, A and K may have their own.
    const hearSecond = (event: KeyboardEvent) => isAfterG && hear(event)
    // After the palette's key, the others are its text.
    for (const event of early()) if (!holdKey(event)) hear(event)
    document.addEventListener('keydown', hearSecond, { capture: true })
    document.addEventListener('keydown', hearLast)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', hearSecond, { capture: true })
      document.removeEventListener('keydown', hearLast)
    }
  }, [])
}
