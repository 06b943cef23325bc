import { Search } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ChangeEvent,
  type ComponentProps,
  type KeyboardEvent,
} from 'react'

interface Props extends Pick<ComponentProps<'input'>, 'className' | 'aria-keyshortcuts'> {
  /** The accessible name, and the placeholder where there is no shorter one. */
  label: string
  placeholder?: string
  maxLength: number
  text: string
  /** Called when typing pauses. */
  onSearch: (text: string) => void
}

export function SearchField({ className, label, placeholder = label, text, onSearch, ...input }: Props) {
  const field = useSearchField(text, onSearch)
  return (
    <label className={className}>
      <span className="sr-only">{label}</span>
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-text-3"
        aria-hidden
      />
      <input type="search" className="field pl-10 text-ellipsis" placeholder={placeholder} {...input} {...field} />
    </label>
  )
}

/** Long enough to finish a word, short enough to feel immediate. */
const waitMs = 250

/** The props of a debounced search field. Escape clears it. */
function useSearchField(text: string, onSearch: (text: string) => void) {
  const [typed, setTyped] = useState(text)
  const reported = useRef(text)
  const report = useEffectEvent((next: string) => {
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
    const timer = setTimeout(() => report(typed), waitMs)
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
