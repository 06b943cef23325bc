import { docs } from '../../texts/docs-messages.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { maxSearchLength } from './docs-address.ts'
import { useDocsAddress } from './use-docs-address.ts'

/** Finds endpoints; what is typed stands in the address. The key `/` leads here. */
export function DocsSearch() {
  const { tab, q, go } = useDocsAddress()
  return (
    <search className="docs-search">
      <SearchField
        label={docs.search}
        maxLength={maxSearchLength}
        aria-keyshortcuts="/"
        text={q}
        // One step of the history for a search, not one for each letter.
        onSearch={(next) => go({ tab: 'endpoints', q: next }, { replace: tab === 'endpoints' })}
      />
      <kbd className="docs-search-key" aria-hidden>
        /
      </kbd>
    </search>
  )
}
