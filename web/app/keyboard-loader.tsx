// Loads the keyboard shortcuts of the page with the first key press; until then there is one listener.
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useShellDialog } from '../model/shell-dialog.ts'

const Keyboard = lazy(async () => ({ default: (await import('./keyboard.tsx')).Keyboard }))

/** @param isUser loads the shortcuts at once, since a signed-in user will use them */
export function KeyboardLoader({ isUser }: { isUser: boolean }) {
  /** Null once the loaded shortcuts listen: from then on no key may be buffered here, not even until the next render. */
  const early = useRef<KeyboardEvent[] | null>([])
  const [isPressed, setPressed] = useState(false)
  const [isThere, setThere] = useState(false)
  const isAsked = useShellDialog() !== null

  useEffect(() => {
    if (isThere) return
    const keep = (event: KeyboardEvent) => {
      if (early.current === null) return
      const isPalette = (event.ctrlKey || event.metaKey) && event.key === 'k'
      const isInField = event.target instanceof Element && event.target.closest('input, textarea, select') !== null
      if (!isPalette && (event.key.length > 1 || isInField)) return
      if (isPalette) event.preventDefault()
      early.current.push(event)
      setPressed(true)
    }
    document.addEventListener('keydown', keep)
    return () => document.removeEventListener('keydown', keep)
  }, [isThere])

  const takeEarly = () => {
    const buffered = early.current ?? []
    early.current = null
    setThere(true)
    return buffered
  }
  return isUser || isAsked || isPressed ? (
    <Suspense>
      <Keyboard takeEarly={takeEarly} />
    </Suspense>
  ) : null
}
