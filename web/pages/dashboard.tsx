import { useCallback, useEffect, useMemo } from 'react'
import type { Image } from '../../contract/endpoints/images.ts'
import { changeGalleryPrefs, useGalleryPrefs } from '../features/dashboard/gallery-prefs.ts'
import { preloadGallery, openGallery, useGallery } from '../model/images/gallery.ts'
import { useCopyChoice } from '../model/copy-choice.ts'
import { useShortcutsOn } from '../model/shortcut-prefs.ts'
import { useSession } from '../model/session.ts'
import { hasFilters, queryOf, searchOf, useGalleryAddress } from '../features/dashboard/gallery-address.ts'
import { Greeting } from '../features/dashboard/greeting.tsx'
import { AccountCards } from '../features/dashboard/account-cards.tsx'
import { Instructions, InstructionsButton } from '../features/dashboard/instructions.tsx'
import { SelectionBar } from '../features/dashboard/selection-bar.tsx'
import { Toolbar } from '../features/dashboard/toolbar.tsx'
import { UndoBar } from '../features/dashboard/undo-bar.tsx'
import { Gallery } from '../features/gallery/gallery.tsx'
import { UploadArea } from '../features/upload/account/upload-area.tsx'
import { selection as selectionTexts } from '../texts/dashboard-messages.ts'
import { gallery as galleryTexts } from '../texts/gallery-messages.ts'
import { titles } from '../texts/messages.ts'
import { Section } from '../ui/section.tsx'
import { DashboardLightbox, ImageDialogs, useImageDialog } from './dashboard-dialogs.tsx'
import { copiedText, copyImage } from './copy-image.ts'
import { imageActions } from '../features/dashboard/image-actions.ts'
import { useExtendImages } from './use-extend-images.ts'
import { useImageSelection } from '../features/dashboard/use-image-selection.ts'
import { useUndoableDeletion } from '../features/dashboard/use-undoable-deletion.ts'
import { useLightbox } from '../features/dashboard/use-lightbox.ts'
import { usePageTitle } from './use-page-title.ts'
import '../features/dashboard/dashboard.css'
import '../styles/bars.css'

/** Loads the images of the opened address before the page is rendered. */
export const preloadImages = () => preloadGallery(queryOf(location.search))

export function DashboardPage() {
  const session = useSession()
  const { view, rowHeight, hasInstructions } = useGalleryPrefs()
  const { items, status } = useGallery()
  const address = useGalleryAddress()
  const { query, isReadOnly } = address
  const viewer = useLightbox()
  const shortcutsOn = useShortcutsOn()
  const selection = useImageSelection(items)
  const deletion = useUndoableDeletion(selection.clear)
  const extend = useExtendImages(extendTexts)
  const dialog = useImageDialog(viewer.id)
  const { open } = viewer
  const { remove } = deletion
  const { show } = dialog
  const copyChoice = useCopyChoice()
  const actions = useMemo(
    () => imageActions({ open, show, extend, remove, copyChoice, copyImage }),
    [open, show, extend, remove, copyChoice],
  )
  const showSheet = useCallback((image: Image) => show('sheet', image), [show])

  usePageTitle(titles.dashboard)
  // As text: every change of the address creates a new query object.
  const queryText = searchOf('', query)
  useEffect(() => void openGallery(query), [queryText]) // oxlint-disable-line react-hooks/exhaustive-deps -- `queryText` is the query

  const isEmpty = status === 'ready' && items.length === 0 && !hasFilters(query)
  const isGuideOpen = hasInstructions ?? isEmpty
  return (
    <div className="page page-fluid pt-8">
      {session.status === 'in' && <Greeting user={session.user} />}
      <Section>
        <UploadArea
          isRoomy={isEmpty}
          onShare={(image) => show('share', image)}
          aside={
            <InstructionsButton
              isOpen={isGuideOpen}
              onToggle={() => changeGalleryPrefs({ hasInstructions: !isGuideOpen })}
            />
          }
        />
      </Section>
      <Instructions isOpen={isGuideOpen} />
      {session.status === 'in' && <AccountCards user={session.user} />}
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
      <Section>
        <Gallery
          view={view}
          {...(rowHeight === undefined ? {} : { rowHeight })}
          actions={actions.gallery}
          selection={selection.ids}
          onSelect={selection.select}
          onSelectAll={() => void selection.selectAll()}
          onOpen={viewer.open}
          onMore={showSheet}
          isReadOnly={isReadOnly}
          onToggleView={() => changeGalleryPrefs({ view: view === 'grid' ? 'list' : 'grid' })}
          shortcutsOn={shortcutsOn}
          hasFilters={hasFilters(query)}
          onClearFilters={address.clear}
        />
      </Section>
      <div className="bars">
        {deletion.undoable !== undefined && (
          <UndoBar
            key={deletion.undoable.key}
            text={deletion.undoable.text}
            onUndo={deletion.undo}
            onGone={deletion.forget}
          />
        )}
        {!isReadOnly && (selection.images.length > 0 || selection.isSelectingAll) && (
          <SelectionBar
            images={selection.images}
            isSelectingAll={selection.isSelectingAll}
            textOf={copiedText}
            onExtend={async (images) => void (await extend(images))}
            onDelete={deletion.removeAll}
            onClear={selection.clear}
          />
        )}
      </div>
      <DashboardLightbox viewer={viewer} actions={actions.lightbox} isReadOnly={isReadOnly} />
      <ImageDialogs opened={dialog} actions={actions.gallery} onSaved={viewer.refresh} />
    </div>
  )
}

const extendTexts = {
  extended: (count: number) => (count === 1 ? galleryTexts.extended : selectionTexts.extendedSome(count)),
  failed: galleryTexts.extendFailed,
}
