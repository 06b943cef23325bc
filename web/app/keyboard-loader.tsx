// Loads the keyboard shortcuts of the page with the first key press; until then there is one listener.
import { Suspense, useEffect, useRef, useState } from 'react'
import { useShellDialog } from '../model/shell-dialog.ts'
import { onDemand } from '../ui/on-demand.tsx'

const Keyboard = onDemand(async () => (await import('./keyboard.tsx')).Keyboard)

/** @param isUser loads the shortcuts at once, since a signed-in user will use them */
export function KeyboardLoader({ isUser }: { isUser: boolean }) {
  /** Null once the loaded shortcuts listen: from then on no key may be buffered here, not even until the next render. */
  const early = useRef<KeyboardEvent[] | null>([])
  const [isPressed, setPressed] = useState(false)
  const isAsked = useShellDialog() !== null

  useEffect(() => {
    /** What follows the palette's key is typed into it. */
    let isTyping = false
    const keep = (event: KeyboardEvent) => {
      if (early.current === null) return
      const { key } = event
      const isShortcut = event.ctrlKey || event.metaKey
      const isPalette = isShortcut && key === 'k'
      isTyping ||= isPalette
      const isTaken = isPalette || (isTyping && !isShortcut && key !== 'Tab')
      // The script may never come: the next keys are the page's.
      if (key === 'Escape') isTyping = false
      const isInField = event.target instanceof Element && event.target.closest('input, textarea, select') !== null
      if (!isTaken && (key.length > 1 || isInField)) return
      if (isTaken) {
        event.preventDefault()
        event.stopPropagation()
      }
      early.current.push(event)
      setPressed(true)
    }
    addEventListener('keydown', keep, true)
    return () => removeEventListener('keydown', keep, true)
  }, [])

  const takeEarly = () => {
    const buffered = early.current ?? []
    early.current = null
    return buffered
  }
  return isUser || isAsked || isPressed ? (
    <Suspense>
      <Keyboard takeEarly={takeEarly} />
    </Suspense>
  ) : null
}
