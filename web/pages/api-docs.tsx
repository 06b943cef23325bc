import { lazy, Suspense } from 'react'
import { useUnlocked } from '../data/database-lock.ts'
import { ApiDocs } from '../features/api-docs/api-docs.tsx'
import { DatabaseButton } from '../features/database/pin/database-button.tsx'
import { docs } from '../texts/docs-messages.ts'
import { common, titles } from '../texts/messages.ts'
import { Loading } from '../ui/loading.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { maxSearchLength } from '../features/api-docs/docs-address.ts'
import { useDocsAddress } from '../features/api-docs/use-docs-address.ts'
import { usePageTitle } from './use-page-title.ts'

const DatabaseView = lazy(async () => ({
  default: (await import('../features/database/database-view.tsx')).DatabaseView,
}))

/** The API documentation; while it is unlocked, the database view instead. */
export function ApiDocsPage() {
  usePageTitle(titles.apiDocs)
  const isUnlocked = useUnlocked()
  return (
    <div className={isUnlocked ? 'page page-fluid flex flex-1 flex-col' : 'page docs-page'}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 py-5">
        <h1 className="text-title max-md:basis-full">
          {titles.apiDocs} <span className="text-dense font-normal text-text-3">{docs.version}</span>
        </h1>
        <div className="docs-tools">
          {!isUnlocked && <DocsSearch />}
          <div>
            <DatabaseButton />
          </div>
        </div>
      </div>
      {isUnlocked ? (
        <Suspense fallback={<Loading text={common.loading} />}>
          <DatabaseView />
        </Suspense>
      ) : (
        <ApiDocs />
      )}
    </div>
  )
}

/** The search field for endpoints; the text is part of the address. The key `/` focuses it. */
function DocsSearch() {
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
