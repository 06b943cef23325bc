import { X } from 'lucide-react'
import { TagChip } from '../../../ui/combobox/tag-chip.tsx'
import { focusMain } from '../../../ui/focus-main.ts'
import { search as texts } from '../../../texts/tags/search-messages.ts'
import { chipsOf } from './suggestions.ts'

interface Props {
  query: string
  onSearch: (query: string) => void
}

/** The terms of the search, each with a button that removes it. */
export function QueryChips({ query, onSearch }: Props) {
  const chips = chipsOf(query)
  if (chips.length === 0) return null
  return (
    <ul className="flex min-w-0 flex-wrap gap-1.5" aria-label={texts.chips}>
      {chips.map(({ label, rest }, at) => (
        <li key={`${at} ${label}`} className="flex min-w-0">
          <TagChip
            text={label}
            icon={X}
            action={texts.removeChip(label)}
            onPress={() => {
              focusMain()
              onSearch(rest)
            }}
          />
        </li>
      ))}
    </ul>
  )
}
