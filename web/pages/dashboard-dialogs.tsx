// What the dashboard opens over the gallery, each with its script on demand: the lightbox, and the dialogs of one image.
import { lazy, Suspense, useCallback, useEffect, useState, type ReactNode } from 'react'
import type { Image } from '../../contract/endpoints/images.ts'
import type { ImageDialog } from '../features/dashboard/image-actions.ts'
import { type useLightbox, viewedId } from '../features/dashboard/use-lightbox.ts'
import { saveTexts } from '../model/images/images.ts'
import { useShortcutsOn } from '../model/shortcut-prefs.ts'
import type { Action } from '../ui/action.ts'
import { DialogSection } from '../ui/dialog/dialog-section.tsx'
import type { Anchor } from '../ui/menu/place-popover.ts'
import { embeddable } from './embeddable.ts'

const AnalysisDialog = lazy(async () => ({
  default: (await import('../features/analysis/analysis-dialog.tsx')).AnalysisDialog,
}))
const EmbedDialog = lazy(async () => ({ default: (await import('../features/embed/embed-dialog.tsx')).EmbedDialog }))
const ImageMenu = lazy(async () => ({
  default: (await import('../features/dashboard/image-menu.tsx')).ImageMenu,
}))
const ImageSheet = lazy(async () => ({
  default: (await import('../features/dashboard/image-sheet.tsx')).ImageSheet,
}))
const Lightbox = lazy(async () => ({ default: (await import('../features/lightbox/lightbox.tsx')).Lightbox }))
export const OwnShareSheet = lazy(async () => ({
  default: (await import('./share/own-share-sheet.tsx')).OwnShareSheet,
}))
const QrDialog = lazy(async () => ({ default: (await import('../features/dashboard/qr-dialog.tsx')).QrDialog }))
const ViewsDialog = lazy(async () => ({
  default: (await import('../features/dashboard/views-dialog.tsx')).ViewsDialog,
}))

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
export function ImageDialogs({ opened: { dialog, close }, actions, onSaved }: DialogsProps) {
  return (
    <DialogSection key={dialog?.name} onClose={close}>
      <Suspense>
        {dialog?.name === 'share' && <OwnShareSheet image={dialog.image} onSaved={onSaved} onClose={close} />}
        {dialog?.name === 'embed' && <EmbedDialog image={embeddable(dialog.image)} onClose={close} />}
        {dialog?.name === 'analysis' && <AnalysisDialog image={dialog.image} onClose={close} />}
        {dialog?.name === 'views' && <ViewsDialog image={dialog.image} onClose={close} />}
        {dialog?.name === 'qr' && <QrDialog image={dialog.image} onClose={close} />}
        {dialog?.name === 'sheet' && dialog.anchor === undefined && (
          <ImageSheet image={dialog.image} actions={actions} onClose={close} />
        )}
        {dialog?.name === 'sheet' && dialog.anchor !== undefined && (
          <ImageMenu
            key={dialog.image.id}
            image={dialog.image}
            anchor={dialog.anchor}
            actions={actions}
            onClose={close}
          />
        )}
      </Suspense>
    </DialogSection>
  )
}
