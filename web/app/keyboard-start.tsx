// The keys of every page, for the price of one listener: what they do is loaded with the first that is pressed.
import { lazy, Suspense, useEffect, useState } from 'react'
import { useShellDialog } from '../data/shortcuts.ts'

const Keyboard = lazy(async () => ({ default: (await import('./keyboard.tsx')).Keyboard }))

/** @param isUser somebody who is signed in will use them, and has them at once */
export function KeyboardStart({ isUser }: { isUser: boolean }) {
  const [first, setFirst] = useState<KeyboardEvent>()
  const isAsked = useShellDialog() !== null
  const isLoaded = isUser || isAsked || first !== undefined

  useEffect(() => {
    if (isLoaded) return
    const start = (event: KeyboardEvent) => {
      const isPalette = (event.ctrlKey || event.metaKey) && event.key === 'k'
      if (isPalette) event.preventDefault()
      const isInField = event.target instanceof Element && event.target.closest('input, textarea, select') !== null
      if (isPalette || (event.key.length === 1 && !isInField)) setFirst(event)
    }
    document.addEventListener('keydown', start)
    return () => document.removeEventListener('keydown', start)
  }, [isLoaded])

  return isLoaded ? (
    <Suspense>
      <Keyboard {...(first !== undefined && { first })} />
    </Suspense>
  ) : null
}
