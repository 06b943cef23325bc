import { useEffect, useEffectEvent, useRef, useState, type ChangeEvent, type KeyboardEvent } from 'react'

/** Long enough to finish a word, short enough to feel immediate. */
const waitMs = 250

/** The props of a debounced search field. Escape clears it. */
export function useSearchField(text: string, onSearch: (text: string) => void) {
  const [typed, setTyped] = useState(text)
  const reported = useRef(text)
  const tell = useEffectEvent((next: string) => {
    reported.current = next
    onSearch(next)
  })

  // Changed from outside: by the address or 'Clear filters'.
  useEffect(() => {
    if (text === reported.current) return
    reported.current = text
    setTyped(text)
  }, [text])

  useEffect(() => {
    if (typed === reported.current) return
    const timer = setTimeout(() => tell(typed), waitMs)
    return () => clearTimeout(timer)
  }, [typed])

  return {
    value: typed,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setTyped(event.target.value),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || typed === '') return
      event.preventDefault()
      setTyped('')
    },
  }
}
