import { Search } from 'lucide-react'
import { docs } from '../../notify/docs-messages.ts'
import { useSearchField } from '../../ui/use-search-field.ts'
import { maxSearchLength } from './address.ts'
import { useDocsAddress } from './use-docs-address.ts'

/** Finds endpoints; what is typed stands in the address. The key `/` leads here. */
export function DocsSearch() {
  const { tab, q, go } = useDocsAddress()
  // One step of the history for a search, not one for each letter.
  const field = useSearchField(q, (next) => go({ tab: 'endpoints', q: next }, { replace: tab === 'endpoints' }))

  return (
    <search className="docs-search">
      <label>
        <span className="sr-only">{docs.search}</span>
        <Search
          className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-text-3"
          aria-hidden
        />
        <input
          type="search"
          className="field pl-10 text-ellipsis"
          placeholder={docs.search}
          aria-keyshortcuts="/"
          maxLength={maxSearchLength}
          {...field}
        />
      </label>
      <kbd className="docs-search-key" aria-hidden>
        /
      </kbd>
    </search>
  )
}
