import { clsx } from 'clsx'
import { Suspense, useEffect } from 'react'
import { useSearch } from 'wouter'
import { changeGalleryPrefs, useGalleryPrefs } from '../features/dashboard/gallery-prefs.ts'
import { preloadGallery, openGallery, type useGallery } from '../model/images/gallery.ts'
import { useSession } from '../model/session.ts'
import { isTrash } from '../model/trash-path.ts'
import { hasFilters, queryOf, searchOf, useGalleryAddress } from '../features/dashboard/gallery-address.ts'
import { Greeting } from '../features/dashboard/greeting.tsx'
import { ClaimCard, ConfirmEmailCard } from '../features/dashboard/account-prompts.tsx'
import { Instructions, InstructionsButton } from '../features/dashboard/instructions.tsx'
import { Toolbar } from '../features/dashboard/toolbar.tsx'
import { Empty } from '../features/gallery/gallery-states.tsx'
import { UploadArea } from '../features/upload/account/upload-area.tsx'
import { UploadOptions } from '../features/upload/account/upload-options.tsx'
import { common, titles } from '../texts/messages.ts'
import { Loading } from '../ui/loading.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { Section } from '../ui/section.tsx'
import { ImagesArea, useImages, useUploadedSheet } from './images-area.tsx'
import { usePageTitle } from './use-page-title.ts'

/** Loads the images of the opened address before the page is rendered. */
export const preloadImages = () => preloadGallery(queryOf(location.search))

const TrashPage = onDemand(async () => (await import('./trash.tsx')).TrashPage)

/** The images, or those that were deleted recently. */
export function DashboardPage() {
  if (!isTrash(useSearch())) return <ImagesPage />
  return (
    <Suspense fallback={<Loading text={common.loading} />}>
      <TrashPage />
    </Suspense>
  )
}

function ImagesPage() {
  const session = useSession()
  const { hasInstructions } = useGalleryPrefs()
  const address = useGalleryAddress()
  const { query, isReadOnly } = address
  const images = useImages(isReadOnly)
  const { items, status, selection } = images
  const [uploadedSheet, onResult] = useUploadedSheet()

  usePageTitle(titles.dashboard)
  // As text: every change of the address creates a new query object.
  const queryText = searchOf('', query)
  useEffect(() => void openGallery(query), [queryText]) // oxlint-disable-line react-hooks/exhaustive-deps -- `queryText` is the query

  const user = session.status === 'in' ? session.user : undefined
  const isFirstRun = items.length === 0 && !hasFilters(query) && isKnownEmpty(status, user?.imageCount)
  return (
    <div className="page page-fluid">
      <div className={clsx('dashboard-head', isFirstRun && 'dashboard-first')}>
        {user && <Greeting user={user} />}
        <Section>
          <UploadArea
            isRoomy={isFirstRun}
            onResult={onResult}
            aside={
              <div className="flex items-center gap-1">
                <UploadOptions />
                {!isFirstRun && (
                  <InstructionsButton
                    isOpen={hasInstructions}
                    onToggle={() => changeGalleryPrefs({ hasInstructions: !hasInstructions })}
                  />
                )}
              </div>
            }
          />
        </Section>
      </div>
      {uploadedSheet}
      {!isFirstRun && <Instructions isOpen={hasInstructions} />}
      {user && !isFirstRun && <ConfirmEmailCard user={user} />}
      {user && <ClaimCard userId={user.id} />}
      {!isFirstRun && (
        <Toolbar
          query={query}
          onQuery={address.setQuery}
          isReadOnly={isReadOnly}
          onReadOnly={(isOn) => {
            selection.clear()
            address.setReadOnly(isOn)
          }}
          found={status === 'ready' ? items.length : undefined}
        />
      )}
      <ImagesArea
        images={images}
        hasFilters={hasFilters(query)}
        onClearFilters={address.clear}
        onSort={(sort) => address.setQuery({ ...query, sort })}
        empty={
          <>
            <Empty />
            {user && <ConfirmEmailCard user={user} />}
          </>
        }
      />
    </div>
  )
}

/** Whether an account has no image. While the list loads, its own figure says so. */
const isKnownEmpty = (status: ReturnType<typeof useGallery>['status'], imageCount: number | undefined) =>
  status === 'ready' || (status === 'loading' && imageCount === 0)
