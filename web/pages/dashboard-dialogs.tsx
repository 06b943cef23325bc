// What the dashboard opens over the gallery, each with its script on demand: the lightbox, and the dialogs about one image or
// several.
import { Suspense, useCallback, useEffect, useState, type ReactNode } from 'react'
import type { Image } from '../../contract/endpoints/images.ts'
import { limits } from '../../contract/plain/limits.ts'
import type { ImageDialog } from '../features/dashboard/image-actions.ts'
import { type useLightbox, viewedId } from '../features/dashboard/use-lightbox.ts'
import type { useUndoableChanges } from '../features/dashboard/use-undoable-changes.ts'
import { holdKeys, releaseKeys } from '../model/held-keys.ts'
import { shareLink } from '../model/images/image-links.ts'
import { saveTexts } from '../model/images/change-images.ts'
import { shownName } from '../model/images/stored-image.ts'
import { isPrivate } from '../model/images/visibility.ts'
import { useShortcutsOn } from '../model/shortcut-prefs.ts'
import { actions as actionTexts } from '../texts/dashboard-messages.ts'
import type { Action } from '../ui/action.ts'
import { DialogSection } from '../ui/dialog/dialog-section.tsx'
import { QrDialog } from '../ui/qr/qr-dialog.tsx'
import type { Anchor } from '../ui/menu/place-popover.ts'
import { onDemand } from '../ui/on-demand.tsx'
import { embeddable } from './embeddable.ts'

const AddToAlbumDialog = onDemand(async () => {
  const script = import('../features/albums/add-to-album-dialog.tsx')
  script.catch(releaseKeys)
  return (await script).AddToAlbumDialog
})
const AnalysisDialog = onDemand(async () => (await import('../features/analysis/analysis-dialog.tsx')).AnalysisDialog)
const EmbedDialog = onDemand(async () => (await import('../features/embed/embed-dialog.tsx')).EmbedDialog)
const ExpiryDialog = onDemand(async () => (await import('../features/dashboard/expiry-dialog.tsx')).ExpiryDialog)
const ImageMenu = onDemand(async () => (await import('../features/dashboard/image-menu.tsx')).ImageMenu)
const ImageSheet = onDemand(async () => (await import('../features/dashboard/image-sheet.tsx')).ImageSheet)
const Lightbox = onDemand(async () => (await import('../features/lightbox/lightbox.tsx')).Lightbox)
export const OwnShareSheet = onDemand(async () => (await import('./share/own-share-sheet.tsx')).OwnShareSheet)
const LinkSheet = onDemand(async () => (await import('../features/links/link-sheet.tsx')).LinkSheet)
const TagsDialog = onDemand(async () => (await import('../features/dashboard/tags-dialog.tsx')).TagsDialog)
const TooManyDialog = onDemand(async () => (await import('../features/links/too-many-dialog.tsx')).TooManyDialog)
const ViewsDialog = onDemand(async () => (await import('../features/dashboard/views-dialog.tsx')).ViewsDialog)

interface LightboxProps {
  viewer: ReturnType<typeof useLightbox>
  actions: Action<Image>[]
  isReadOnly: boolean
  /** Shown over the image. */
  children: ReactNode
}

export function DashboardLightbox({ viewer, actions, isReadOnly, children }: LightboxProps) {
  const shortcutsOn = useShortcutsOn()
  return (
    <DialogSection key={String(viewer.index === undefined)} onClose={viewer.close}>
      <Suspense>
        {viewer.index !== undefined && (
          <Lightbox
            images={viewer.images}
            index={viewer.index}
            onIndex={viewer.move}
            onClose={viewer.close}
            onRetryMissing={viewer.retryMissing}
            actions={actions}
            onSave={async (image, texts) => viewer.refresh(await saveTexts(image, texts))}
            isReadOnly={isReadOnly}
            hasLetterKeys={shortcutsOn}
          >
            {children}
          </Lightbox>
        )}
      </Suspense>
    </DialogSection>
  )
}

interface Chosen {
  /** What the dialog is about. None: it is closed. */
  images: readonly Image[]
  open: (images: readonly Image[]) => void
  close: () => void
}

function useChosen(): Chosen {
  const [images, open] = useState<readonly Image[]>([])
  return { images, open, close: () => open([]) }
}

/** For each dialog about several images, those that it is about. */
export const useChosenImages = () => ({
  tags: useChosen(),
  albums: useTypedInto(useChosen()),
  link: useChosen(),
  expiry: useChosen(),
})

/** The name of an album is often typed before the script of the dialog is there: single letters are shortcuts of the page. */
function useTypedInto({ images, open, close }: Chosen): Chosen {
  const openWithKeys = useCallback(
    (chosen: readonly Image[]) => {
      if (chosen.length > 0) holdKeys(() => open([]))
      open(chosen)
    },
    [open],
  )
  // Who leaves the page before the script is there types on the next one.
  useEffect(() => (images.length > 0 ? () => void releaseKeys() : undefined), [images])
  return { images, open: openWithKeys, close }
}

interface ChosenProps {
  chosen: ReturnType<typeof useChosenImages>
  undoable: Pick<ReturnType<typeof useUndoableChanges>, 'add' | 'tagged' | 'changeExpiry'>
}

/** The dialogs about several images. */
export const ChosenImagesDialogs = ({ chosen: { tags, albums, link, expiry }, undoable }: ChosenProps) => (
  <>
    <ChosenDialog chosen={tags}>{(about) => <TagsDialog {...about} onChanged={undoable.tagged} />}</ChosenDialog>
    <ChosenDialog chosen={expiry}>
      {(about) => <ExpiryDialog {...about} onChoose={undoable.changeExpiry} />}
    </ChosenDialog>
    <ChosenDialog chosen={link}>
      {({ images, onClose }) =>
        images.length <= limits.links.maxImages ? (
          <LinkSheet target={{ kind: 'images', images }} onClose={onClose} />
        ) : (
          <TooManyDialog
            count={images.length}
            onClose={onClose}
            onAlbum={() => {
              onClose()
              albums.open(images)
            }}
          />
        )
      }
    </ChosenDialog>
    <ChosenDialog chosen={albums}>{(about) => <AddToAlbumDialog {...about} onChanged={undoable.add} />}</ChosenDialog>
  </>
)

interface ChosenDialogProps {
  chosen: ReturnType<typeof useChosen>
  children: (about: { images: readonly Image[]; onClose: () => void }) => ReactNode
}

const ChosenDialog = ({ chosen: { images, close }, children }: ChosenDialogProps) => (
  <DialogSection key={images[0]?.id} onClose={close}>
    <Suspense>{images.length > 0 && children({ images, onClose: close })}</Suspense>
  </DialogSection>
)

interface OpenDialog {
  name: ImageDialog
  image: Image
  /** Of the sheet: as a menu here. */
  anchor: Anchor | undefined
  /** Id of the image in the lightbox under it. */
  over: string | null
}

/** @param viewed id of the image in the lightbox */
export function useImageDialog(viewed: string | null) {
  const [dialog, setDialog] = useState<OpenDialog>()
  // Going back from the lightbox closes the dialog over it, but not one that a key has opened since.
  useEffect(() => setDialog((shown) => (shown?.over === viewed ? shown : undefined)), [viewed])
  return {
    dialog,
    show: useCallback(
      (name: ImageDialog, image: Image, anchor?: Anchor) => setDialog({ name, image, anchor, over: viewedId() }),
      [],
    ),
    /** Closing the sheet must not close a dialog that was opened from it. */
    close: () => setDialog((shown) => (shown?.name === dialog?.name ? undefined : shown)),
  }
}

interface DialogsProps {
  opened: ReturnType<typeof useImageDialog>
  actions: readonly Action<Image>[]
  /** The title of an image was changed. */
  onSaved: (image: Image) => void
}

/** In a boundary of its own: while the script of a dialog loads, the lightbox under it stays. */
export const ImageDialogs = ({ opened: { dialog, close }, ...rest }: DialogsProps) => (
  <DialogSection key={dialog?.name} onClose={close}>
    <Suspense>{dialog !== undefined && <ImageDialogOf dialog={dialog} close={close} {...rest} />}</Suspense>
  </DialogSection>
)

type DialogProps = Omit<DialogsProps, 'opened'> & { dialog: OpenDialog; close: () => void }

function ImageDialogOf({ dialog: { name, image, anchor }, close, actions: all, onSaved }: DialogProps) {
  const actions = all.filter(({ isFor }) => isFor?.(image) ?? true)
  switch (needsLink.includes(name) && isPrivate(image) ? 'share' : name) {
    case 'share':
      return <OwnShareSheet image={image} onSaved={onSaved} onClose={close} />
    case 'embed':
      return <EmbedDialog image={embeddable(image)} onClose={close} />
    case 'analysis':
      return <AnalysisDialog image={image} onClose={close} />
    case 'views':
      return <ViewsDialog image={image} onClose={close} />
    case 'link':
      return <LinkSheet target={{ kind: 'images', images: [image] }} onClose={close} />
    case 'qr':
      return (
        <QrDialog
          title={actionTexts.qr}
          link={shareLink(image)}
          label={actionTexts.qrLabel(shownName(image))}
          onClose={close}
        />
      )
    case 'sheet':
      if (anchor === undefined) return <ImageSheet image={image} actions={actions} onClose={close} />
      return <ImageMenu key={image.id} image={image} anchor={anchor} actions={actions} onClose={close} />
  }
}

/** What they make of a private image would work for nobody else: the share sheet says so, and how to share it. */
const needsLink: readonly ImageDialog[] = ['embed', 'qr']
