// The keys of the document panel. They work anywhere in the view, except in a dialog.
import { useEffect, useEffectEvent, type RefObject } from 'react'
import { areShortcutsOn } from '../../../model/shortcut-prefs.ts'

interface Actions {
  edit?: () => void
  save?: () => void
  /** Goes back one level. */
  back?: (() => void) | undefined
  escape: () => void
}

const typed = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]'

export function usePanelKeys(panel: RefObject<HTMLElement | null>, actions: Actions): void {
  const actionOf = useEffectEvent((event: KeyboardEvent): (() => void) | undefined => {
    const { key, altKey, shiftKey } = event
    const isCommand = event.ctrlKey !== event.metaKey && !altKey && !shiftKey
    const isAlone = !event.ctrlKey && !event.metaKey && !altKey && !shiftKey
    if (isCommand && key.toLowerCase() === 's') return actions.save
    if (altKey && !event.ctrlKey && !event.metaKey && key === 'ArrowLeft') return actions.back
    if (!isAlone) return undefined
    if (key === 'Escape') return isOurs(event.target, panel.current) ? actions.escape : undefined
    const isTyping = event.target instanceof Element && event.target.matches(typed)
    return key.toLowerCase() === 'e' && !isTyping && areShortcutsOn() ? actions.edit : undefined
  })

  useEffect(() => {
    function hear(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing || isBehindDialog(panel.current)) return
      const act = actionOf(event)
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [panel])
}

const isBehindDialog = (panel: HTMLElement | null) =>
  [...document.querySelectorAll('dialog[open]')].some((dialog) => !dialog.contains(panel))

/** A menu or field outside the panel handles its own Escape. */
function isOurs(target: EventTarget | null, panel: HTMLElement | null): boolean {
  if (!(target instanceof Element) || target === document.body || panel?.contains(target)) return true
  return target.closest('main') !== null && !target.matches(typed)
}
