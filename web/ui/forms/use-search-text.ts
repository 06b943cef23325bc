import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'

/** Long enough to finish a word, short enough to feel immediate. */
const waitMs = 250

/** The text of a search field, reported when typing pauses. */
export function useSearchText(text: string, onSearch: (text: string) => void) {
  const [typed, setTyped] = useState(text)
  const [isPaused, setPaused] = useState(true)
  const reported = useRef(text)
  const report = useEffectEvent((next: string) => {
    setPaused(true)
    reported.current = next
    onSearch(next)
  })

  // Changed from outside: by the address, a chip or 'Clear filters'.
  useEffect(() => {
    if (text === reported.current) return
    reported.current = text
    setTyped(text)
  }, [text])

  useEffect(() => {
    if (typed === reported.current) return setPaused(true)
    setPaused(false)
    const timer = setTimeout(() => report(typed), waitMs)
    return () => clearTimeout(timer)
  }, [typed])

  /** Escape clears the text. */
  function clearByEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || typed === '') return
    event.preventDefault()
    setTyped('')
  }

  return { typed, setTyped, isPaused, clearByEscape }
}
