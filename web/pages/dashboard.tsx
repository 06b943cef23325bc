import { clsx } from 'clsx'
import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useSearch } from 'wouter'
import type { Image } from '../../contract/endpoints/images.ts'
import { changeGalleryPrefs, useGalleryPrefs } from '../features/dashboard/gallery-prefs.ts'
import { followOtherTabs, preloadGallery, openGallery, useGallery } from '../model/images/gallery.ts'
import { useCopyChoice } from '../model/copy-choice.ts'
import { useShortcutsOn } from '../model/shortcut-prefs.ts'
import { useSession } from '../model/session.ts'
import { trashDays } from '../model/site.ts'
import { isTrash, trashPath } from '../model/trash-path.ts'
import { hasFilters, queryOf, searchOf, useGalleryAddress } from '../features/dashboard/gallery-address.ts'
import { Greeting } from '../features/dashboard/greeting.tsx'
import { AccountCards } from '../features/dashboard/account-cards.tsx'
import { Instructions, InstructionsButton } from '../features/dashboard/instructions.tsx'
import { SelectionBar } from '../features/dashboard/selection-bar.tsx'
import { Toolbar } from '../features/dashboard/toolbar.tsx'
import { UndoBar } from '../ui/undo/undo-bar.tsx'
import { Gallery } from '../features/gallery/gallery.tsx'
import { UploadArea } from '../features/upload/account/upload-area.tsx'
import { UploadOptions } from '../features/upload/account/upload-options.tsx'
import { selection as selectionTexts } from '../texts/dashboard-messages.ts'
import { gallery as galleryTexts } from '../texts/gallery-messages.ts'
import { common, titles } from '../texts/messages.ts'
import { trash } from '../texts/trash-messages.ts'
import { Link } from '../ui/link.tsx'
import { Loading } from '../ui/loading.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import type { Anchor } from '../ui/menu/place-popover.ts'
import { Section } from '../ui/section.tsx'
import {
  DashboardLightbox,
  ImageDialogs,
  OwnShareSheet,
  TagsOfImages,
  useImageDialog,
  useTagging,
} from './dashboard-dialogs.tsx'
import { copiedText, copyImage } from './copy-image.ts'
import { imageActions } from '../features/dashboard/image-actions.ts'
import { useExtendImages } from './use-extend-images.ts'
import { useImageSelection } from '../features/dashboard/use-image-selection.ts'
import { useUndoableChanges } from '../features/dashboard/use-undoable-changes.ts'
import { useLightbox } from '../features/dashboard/use-lightbox.ts'
import { usePageTitle } from './use-page-title.ts'
import { usePaletteTargets } from './use-palette-targets.ts'
import '../features/gallery/gallery.css'
import '../features/dashboard/dashboard.css'
import '../styles/bars.css'

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
  const { view, rowHeight, hasInstructions } = useGalleryPrefs()
  // The pressed button is painted before a hundred other tiles.
  const shownView = useDeferredValue(view)
  const { items, status } = useGallery()
  const address = useGalleryAddress()
  const { query, isReadOnly } = address
  const viewer = useLightbox()
  const shortcutsOn = useShortcutsOn()
  const selection = useImageSelection(items)
  const undoable = useUndoableChanges(selection.clear)
  const extend = useExtendImages(extendTexts)
  const dialog = useImageDialog(viewer.id)
  const { open } = viewer
  const { remove, changeVisibility } = undoable
  const tagging = useTagging()
  const tag = tagging.open
  const { show } = dialog
  const copyChoice = useCopyChoice()
  const actions = useMemo(
    () => imageActions({ open, show, extend, remove, changeVisibility, tag, copyChoice, copyImage }),
    [open, show, extend, remove, changeVisibility, tag, copyChoice],
  )
  const showMore = useCallback((image: Image, anchor?: Anchor) => show('sheet', image, anchor), [show])

  const [uploaded, setUploaded] = useState<Image>()

  usePageTitle(titles.dashboard)
  // As text: every change of the address creates a new query object.
  const queryText = searchOf('', query)
  useEffect(() => void openGallery(query), [queryText]) // oxlint-disable-line react-hooks/exhaustive-deps -- `queryText` is the query

  useEffect(followOtherTabs, [])

  usePaletteTargets(
    isReadOnly ? undefined : { selected: selection.images, actions: actions.gallery, extend, tag, undoable },
  )

  const user = session.status === 'in' ? session.user : undefined
  const isFirstRun = items.length === 0 && !hasFilters(query) && isKnownEmpty(status, user?.imageCount)
  const undoBar = undoable.undoable && (
    <UndoBar
      key={undoable.undoable.key}
      text={undoable.undoable.text}
      name={undoable.undoable.name}
      onUndo={undoable.undo}
      onGone={undoable.hide}
    >
      {trashDays > 0 && undoable.undoable.isDeletion === true && (
        <Link to={trashPath} className="btn btn-ghost btn-sm">
          {trash.title}
        </Link>
      )}
    </UndoBar>
  )
  return (
    <div className="page page-fluid">
      <div className={clsx('dashboard-head', isFirstRun && 'dashboard-first')}>
        {user && <Greeting user={user} />}
        <Section>
          <UploadArea
            isRoomy={isFirstRun}
            onResult={setUploaded}
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
      {uploaded && (
        <Section>
          <Suspense>
            <OwnShareSheet key={uploaded.id} image={uploaded} isInPage onClose={() => setUploaded(undefined)} />
          </Suspense>
        </Section>
      )}
      {!isFirstRun && <Instructions isOpen={hasInstructions} />}
      {user && <AccountCards user={user} />}
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
      <Section>
        <Gallery
          view={shownView}
          {...(rowHeight === undefined ? {} : { rowHeight })}
          actions={actions.gallery}
          selection={selection.ids}
          onSelect={selection.select}
          onSelectAll={() => void selection.selectAll()}
          onDeleteSelected={() => void undoable.removeAll(selection.images)}
          onOpen={viewer.open}
          onMore={showMore}
          viewed={viewer.at}
          isReadOnly={isReadOnly}
          onToggleView={() => changeGalleryPrefs({ view: view === 'grid' ? 'list' : 'grid' })}
          shortcutsOn={shortcutsOn}
          hasFilters={hasFilters(query)}
          onClearFilters={address.clear}
          onSort={(sort) => address.setQuery({ ...query, sort })}
        />
      </Section>
      <div className="bars">
        {viewer.index === undefined && undoBar}
        {!isReadOnly && (selection.images.length > 0 || selection.isSelectingAll) && (
          <SelectionBar
            images={selection.images}
            isSelectingAll={selection.isSelectingAll}
            textOf={copiedText}
            onExtend={async (images) => void (await extend(images))}
            onVisibility={changeVisibility}
            onTag={tag}
            onDelete={undoable.removeAll}
            onClear={selection.clear}
          />
        )}
      </div>
      <DashboardLightbox viewer={viewer} actions={actions.lightbox} isReadOnly={isReadOnly}>
        {undoBar}
      </DashboardLightbox>
      <TagsOfImages tagging={tagging} onChanged={undoable.tagged} />
      <ImageDialogs opened={dialog} actions={actions.gallery} onSaved={viewer.refresh} />
    </div>
  )
}

/** Whether an account has no image. While the list loads, its own figure says so. */
const isKnownEmpty = (status: ReturnType<typeof useGallery>['status'], imageCount: number | undefined) =>
  status === 'ready' || (status === 'loading' && imageCount === 0)

const extendTexts = {
  extended: (count: number) => (count === 1 ? galleryTexts.extended : selectionTexts.extendedSome(count)),
  failed: galleryTexts.extendFailed,
}
