import { lazy, Suspense } from 'react'
import { useUnlocked } from '../data/database-lock.ts'
import { useSite } from '../data/site.ts'
import { ApiDocs } from '../features/api-docs/api-docs.tsx'
import { DocsSearch } from '../features/api-docs/docs-search.tsx'
import { DatabaseButton } from '../features/database/pin/database-button.tsx'
import { docs } from '../texts/docs-messages.ts'
import { common, pageTitle, titles } from '../texts/messages.ts'
import { Loading } from '../ui/loading.tsx'
import { useTitle } from '../ui/title.ts'
import './api-docs.css'

const DatabaseView = lazy(async () => ({
  default: (await import('../features/database/database-view.tsx')).DatabaseView,
}))

/** The API documentation; while it is unlocked, the database view instead. */
export function ApiDocsPage() {
  const { siteName } = useSite()
  useTitle(pageTitle(titles.apiDocs, siteName))
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
