import { docs } from '../../texts/docs-messages.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { maxSearchLength } from './docs-address.ts'
import { useDocsAddress } from './use-docs-address.ts'

/** The search field for endpoints; the text is part of the address. The key `/` focuses it. */
export function DocsSearch() {
  const { tab, q, go } = useDocsAddress()
  return (
    <search className="docs-search">
      <SearchField
        label={docs.search}
        maxLength={maxSearchLength}
        aria-keyshortcuts="/"
        text={q}
        // One history entry per search, not one per character.
        onSearch={(next) => go({ tab: 'endpoints', q: next }, { replace: tab === 'endpoints' })}
      />
      <kbd className="docs-search-key" aria-hidden>
        /
      </kbd>
    </search>
  )
}
