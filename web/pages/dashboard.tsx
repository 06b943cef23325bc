import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import type { User } from '../../contract/endpoints/accounts.ts'
import type { Image } from '../../contract/endpoints/images.ts'
import { changeGalleryPrefs, useGalleryPrefs } from '../features/dashboard/gallery-prefs.ts'
import { preloadGallery, openGallery, useGallery } from '../model/images/gallery.ts'
import { saveTexts } from '../model/images/images.ts'
import { chosenLink } from '../model/link-choice.ts'
import { useShortcutsOn } from '../model/shortcut-prefs.ts'
import { useSession } from '../model/session.ts'
import { copyFormats } from '../features/embed/copy-formats.ts'
import { hasFilters, queryOf, searchOf } from '../features/dashboard/gallery-address.ts'
import { ClaimCard } from '../features/dashboard/claim-card.tsx'
import { ConfirmEmailCard } from '../features/dashboard/confirm-email-card.tsx'
import { Instructions, InstructionsButton } from '../features/dashboard/instructions.tsx'
import { SelectionBar } from '../features/dashboard/selection-bar.tsx'
import { Toolbar } from '../features/dashboard/toolbar.tsx'
import { UndoBar } from '../features/dashboard/undo-bar.tsx'
import { Gallery } from '../features/gallery/gallery.tsx'
import { UploadArea } from '../features/upload/account/upload-area.tsx'
import { formatBytes } from '../../contract/plain/format-bytes.ts'
import { selection as selectionTexts } from '../texts/dashboard-messages.ts'
import { dashboard, gallery as galleryTexts } from '../texts/gallery-messages.ts'
import { titles } from '../texts/messages.ts'
import { DialogSection } from '../ui/dialog/dialog-section.tsx'
import { Section } from '../ui/section.tsx'
import { QuotaBar } from '../ui/quota-bar.tsx'
import { embeddable } from './embeddable.ts'
import { imageActions, type ImageDialog } from '../features/dashboard/image-actions.ts'
import { useGalleryAddress } from '../features/dashboard/use-gallery-address.ts'
import { useExtendImages } from './use-extend-images.ts'
import { useImageSelection } from '../features/dashboard/use-image-selection.ts'
import { useUndoableDeletion } from '../features/dashboard/use-undoable-deletion.ts'
import { useLightbox, viewedId } from '../features/dashboard/use-lightbox.ts'
import { usePageTitle } from './use-page-title.ts'
import '../features/dashboard/dashboard.css'
import '../styles/bars.css'

const AnalysisDialog = lazy(async () => ({
  default: (await import('../features/analysis/analysis-dialog.tsx')).AnalysisDialog,
}))
const EmbedDialog = lazy(async () => ({ default: (await import('../features/embed/embed-dialog.tsx')).EmbedDialog }))
const ImageSheet = lazy(async () => ({
  default: (await import('../features/dashboard/image-sheet.tsx')).ImageSheet,
}))
const Lightbox = lazy(async () => ({ default: (await import('../features/lightbox/lightbox.tsx')).Lightbox }))
const QrDialog = lazy(async () => ({ default: (await import('../features/dashboard/qr-dialog.tsx')).QrDialog }))
const ViewsDialog = lazy(async () => ({
  default: (await import('../features/dashboard/views-dialog.tsx')).ViewsDialog,
}))

interface OpenDialog {
  name: ImageDialog
  image: Image
  /** Id of the image in the viewer under it. */
  over: string | null
}

const dialogOf = (name: ImageDialog, image: Image): OpenDialog => ({ name, image, over: viewedId() })

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
  const [dialog, setDialog] = useState<OpenDialog>()
  const { open } = viewer
  const { remove } = deletion
  const actions = useMemo(
    () => imageActions({ open, show: (name, image) => setDialog(dialogOf(name, image)), extend, remove }),
    [open, extend, remove],
  )
  const showSheet = useCallback((image: Image) => setDialog(dialogOf('sheet', image)), [])
  const closeDialog = () => setDialog(undefined)
  // Going back from the viewer closes the dialog over it, but not one that a key has opened since.
  useEffect(() => setDialog((shown) => (shown?.over === viewer.id ? shown : undefined)), [viewer.id])

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
          aside={
            <InstructionsButton
              isOpen={isGuideOpen}
              onToggle={() => changeGalleryPrefs({ hasInstructions: !isGuideOpen })}
            />
          }
        />
      </Section>
      <Instructions isOpen={isGuideOpen} />
      {session.status === 'in' && !session.user.emailConfirmed && <ConfirmEmailCard email={session.user.email} />}
      {session.status === 'in' && <ClaimCard userId={session.user.id} />}
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
            codes={codes}
            onExtend={async (images) => void (await extend(images))}
            onDelete={deletion.removeAll}
            onClear={selection.clear}
          />
        )}
      </div>
      <DialogSection key={String(viewer.index === undefined)} onClose={viewer.close}>
        <Suspense>
          {viewer.index !== undefined && (
            <Lightbox
              images={viewer.images}
              index={viewer.index}
              onIndex={viewer.move}
              onClose={viewer.close}
              onRetryMissing={viewer.retryMissing}
              actions={actions.lightbox}
              onSave={async (image, texts) => viewer.refresh(await saveTexts(image, texts))}
              isReadOnly={isReadOnly}
              hasLetterKeys={shortcutsOn}
            />
          )}
        </Suspense>
      </DialogSection>
      {/* A separate boundary: while the script of a dialog loads, the viewer under it stays. */}
      <DialogSection key={dialog?.name} onClose={closeDialog}>
        <Suspense>
          {dialog?.name === 'embed' && <EmbedDialog image={embeddable(dialog.image)} onClose={closeDialog} />}
          {dialog?.name === 'analysis' && <AnalysisDialog image={dialog.image} onClose={closeDialog} />}
          {dialog?.name === 'views' && <ViewsDialog image={dialog.image} onClose={closeDialog} />}
          {dialog?.name === 'qr' && <QrDialog image={dialog.image} onClose={closeDialog} />}
          {dialog?.name === 'sheet' && (
            // Closing the sheet must not close a dialog that was opened from it.
            <ImageSheet
              image={dialog.image}
              actions={actions.gallery}
              onClose={() => setDialog((shown) => (shown?.name === 'sheet' ? undefined : shown))}
            />
          )}
        </Suspense>
      </DialogSection>
    </div>
  )
}

const extendTexts = {
  extended: (count: number) => (count === 1 ? galleryTexts.extended : selectionTexts.extendedSome(count)),
  failed: galleryTexts.extendFailed,
}

/** Embed codes for copying many at once. */
const codes = Object.fromEntries(
  copyFormats.map(({ id, code }) => [
    id,
    (image: Image) => (id === 'url' ? chosenLink(image) : code(embeddable(image))),
  ]),
) as Record<(typeof copyFormats)[number]['id'], (image: Image) => string>

function Greeting({ user }: { user: User }) {
  const { email, imageCount, imageBytes, quota } = user
  const size = formatBytes(imageBytes)
  return (
    <>
      <h1 className="text-title wrap-anywhere max-md:text-h2">{dashboard.hello(email)}</h1>
      <div className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="text-dense text-text-2 tabular-nums">
          {dashboard.figures(imageCount, quota.bytes === 0 ? size : dashboard.usage(size, formatBytes(quota.bytes)))}
        </p>
        <UsedQuota user={user} />
      </div>
    </>
  )
}

/** Of the two limits, storage and number of images, the one that is used more. */
function UsedQuota({ user: { imageCount, imageBytes, quota } }: { user: User }) {
  const shareOf = (used: number, limit: number) => (limit === 0 ? 0 : used / limit)
  const isByCount = shareOf(imageCount, quota.images) > shareOf(imageBytes, quota.bytes)
  const bar = isByCount
    ? {
        used: imageCount,
        limit: quota.images,
        label: dashboard.imageQuota,
        text: dashboard.imagesUsed(imageCount, quota.images),
      }
    : {
        used: imageBytes,
        limit: quota.bytes,
        label: dashboard.quota,
        text: dashboard.usage(formatBytes(imageBytes), formatBytes(quota.bytes)),
      }
  return <QuotaBar {...bar} className="w-28" />
}
