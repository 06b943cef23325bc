// The keys of the document panel. They work anywhere in the view, except in a dialog.
import type { RefObject } from 'react'
import { areShortcutsOn } from '../../../model/shortcut-prefs.ts'
import { useDocumentKeys } from '../../../ui/use-document-keys.ts'

interface Actions {
  edit?: () => void
  save?: () => void
  /** Goes back one level. */
  back?: (() => void) | undefined
  escape: () => void
}

const typed = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]'

export function usePanelKeys(panel: RefObject<HTMLElement | null>, actions: Actions): void {
  function actionOf(event: KeyboardEvent): (() => void) | undefined {
    switch (chordOf(event)) {
      case 'ctrl+s':
      case 'meta+s':
        return actions.save
      case 'alt+arrowleft':
      case 'alt+shift+arrowleft':
        return actions.back
      case 'escape':
        return isOurs(event.target, panel.current) ? actions.escape : undefined
      case 'e':
        return !isTyping(event.target) && areShortcutsOn() ? actions.edit : undefined
      default:
        return undefined
    }
  }

  useDocumentKeys((event) => {
    if (event.defaultPrevented || event.isComposing || isBehindDialog(panel.current)) return
    const act = actionOf(event)
    if (act === undefined) return
    event.preventDefault()
    act()
  })
}

/** The pressed keys, such as `ctrl+s`. */
const chordOf = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  [ctrlKey && 'ctrl', metaKey && 'meta', altKey && 'alt', shiftKey && 'shift', key.toLowerCase()]
    .filter((part) => part !== false)
    .join('+')

const isTyping = (target: EventTarget | null) => target instanceof Element && target.matches(typed)

const isBehindDialog = (panel: HTMLElement | null) =>
  [...document.querySelectorAll('dialog[open]')].some((dialog) => !dialog.contains(panel))

/** A menu or field outside the panel handles its own Escape. */
function isOurs(target: EventTarget | null, panel: HTMLElement | null): boolean {
  if (!(target instanceof Element) || target === document.body || panel?.contains(target)) return true
  return target.closest('main') !== null && !target.matches(typed)
}
