import { X } from 'lucide-react'
import { focusMain } from '../../../ui/focus-main.ts'
import { chipsOf, texts } from './suggestions.ts'

interface Props {
  query: string
  onSearch: (query: string) => void
}

/** The terms of the search, each with a button that removes it. */
export function QueryChips({ query, onSearch }: Props) {
  const chips = chipsOf(query)
  if (chips.length === 0) return null
  return (
    <ul className="query-chips" aria-label={texts.chips}>
      {chips.map(({ label, rest }, at) => (
        <li key={`${at} ${label}`} className="tag-chip">
          <span>{label}</span>
          <button
            type="button"
            className="tag-chip-button"
            aria-label={texts.removeChip(label)}
            onClick={() => {
              focusMain()
              onSearch(rest)
            }}
          >
            <X className="size-3.5" aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}
