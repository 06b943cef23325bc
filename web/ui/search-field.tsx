import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useSearchField } from './use-search-field.ts'

interface Props extends Pick<ComponentProps<'input'>, 'className' | 'aria-keyshortcuts'> {
  /** The placeholder and accessible name. */
  label: string
  maxLength: number
  text: string
  /** Called when typing pauses. */
  onSearch: (text: string) => void
}

export function SearchField({ className, label, text, onSearch, ...input }: Props) {
  const field = useSearchField(text, onSearch)
  return (
    <label className={className}>
      <span className="sr-only">{label}</span>
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-text-3"
        aria-hidden
      />
      <input type="search" className="field pl-10 text-ellipsis" placeholder={label} {...input} {...field} />
    </label>
  )
}
