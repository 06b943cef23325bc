import { useEffectEvent, useLayoutEffect } from 'react'

/** Hears the keys that the focused element left to the page, from the first paint on. */
export function useDocumentKeys(listener: (event: KeyboardEvent) => void): void {
  const hear = useEffectEvent(listener)
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => hear(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
