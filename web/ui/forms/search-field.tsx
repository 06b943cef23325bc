import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useSearchText } from './use-search-text.ts'

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
  const { typed, setTyped, clearByEscape } = useSearchText(text, onSearch)
  return (
    <label className={className}>
      <span className="sr-only">{label}</span>
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-text-3"
        aria-hidden
      />
      <input
        type="search"
        className="field pl-10 text-ellipsis"
        placeholder={placeholder}
        {...input}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={clearByEscape}
      />
    </label>
  )
}
