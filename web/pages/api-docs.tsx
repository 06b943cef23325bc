import { clsx } from 'clsx'
import { Suspense } from 'react'
import { isUnlocked, useUnlocked } from '../features/database-view/database-lock.ts'
import { ApiDocs } from '../features/api-docs/api-docs.tsx'
import { DatabaseButton } from '../features/database-view/pin/database-button.tsx'
import { docs } from '../texts/docs-messages.ts'
import { common, titles } from '../texts/messages.ts'
import { Loading } from '../ui/loading.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { SearchField } from '../ui/forms/search-field.tsx'
import { maxSearchLength } from '../features/api-docs/docs-address.ts'
import { useDocsAddress } from '../features/api-docs/use-docs-address.ts'
import { Section } from '../ui/section.tsx'
import { DeveloperNav } from './developer-nav.tsx'
import { usePageTitle } from './use-page-title.ts'

const DatabaseView = onDemand(async () => (await import('../features/database-view/database-view.tsx')).DatabaseView)

/** Loads the database view where it is shown at once. */
export async function loadShownView(): Promise<void> {
  if (isUnlocked()) await DatabaseView.load()
}

/** The API documentation; while it is unlocked, the database view instead. */
export function ApiDocsPage() {
  usePageTitle(titles.apiDocs)
  const isDatabase = useUnlocked()
  return (
    <div className={isDatabase ? 'page page-fluid flex flex-1 flex-col' : 'page developer-page'}>
      {!isDatabase && (
        <div className="docs-nav">
          <DeveloperNav current="docs" />
        </div>
      )}
      <div className={clsx('flex flex-wrap items-center gap-x-4 gap-y-3', isDatabase ? 'py-5' : 'mb-3')}>
        <h1 className="text-title max-md:basis-full">
          {titles.apiDocs} <span className="text-dense font-normal text-text-3">{docs.version}</span>
        </h1>
        <div className="docs-tools">
          {!isDatabase && <DocsSearch />}
          <div>
            <DatabaseButton />
          </div>
        </div>
      </div>
      <Section key={String(isDatabase)}>
        {isDatabase ? (
          <Suspense fallback={<Loading text={common.loading} />}>
            <DatabaseView />
          </Suspense>
        ) : (
          <ApiDocs />
        )}
      </Section>
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
