// What can be done with images of one batch: with each in its row of the list, and with all below it.
import { Ellipsis, Link2, Share2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { copyChoices, useCopyChoice } from '../model/copy-choice.ts'
import { directLink } from '../model/images/image-links.ts'
import type { UploadedImage } from '../../contract/endpoints/images.ts'
import { actions } from '../texts/dashboard-messages.ts'
import { copy, copyAs, gallery, result } from '../texts/gallery-messages.ts'
import { CopyButton } from '../ui/copy/copy-button.tsx'
import { CopyChoiceButton } from '../ui/copy/copy-choice-button.tsx'
import { DialogSection } from '../ui/dialog/dialog-section.tsx'
import { ChoiceMenu } from '../ui/menu/choice-menu.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { CopyAllImages } from './copy-all-images.tsx'
import { copyImage } from './copy-image.ts'
import { OwnBatchLink } from './share/own-batch-link.tsx'
import { type GuestDialog, GuestDialogs } from './landing/guest-dialogs.tsx'

const OwnShareSheet = onDemand(async () => (await import('./share/own-share-sheet.tsx')).OwnShareSheet)

interface ImagesProps {
  images: readonly UploadedImage[]
  isPrimary?: boolean
}

/** Below the list: copies all, or shares the only one as after a single upload. */
export function UploadedImages({ images, isPrimary = false }: ImagesProps) {
  const [image] = images
  if (image === undefined) return null
  if (images.length === 1) return <OnlyImage uploaded={image} />
  return (
    <>
      {image.delete_token === undefined && <OwnBatchLink images={images} />}
      <CopyAllImages images={images} isPrimary={isPrimary} />
    </>
  )
}

function OnlyImage({ uploaded }: { uploaded: UploadedImage }) {
  const { image, setDialog, dialogs } = useUploaded(uploaded)
  return (
    <div className="flex flex-wrap gap-2">
      <CopyChoiceButton
        choice={useCopyChoice()}
        onCopy={(choice) => copyImage(image, choice)}
        className="btn btn-quiet"
        place="flex-1"
      />
      <button type="button" className="btn btn-primary flex-1" onClick={() => setDialog('share')}>
        <Share2 className="size-4" aria-hidden />
        {result.share}
      </button>
      {dialogs}
    </div>
  )
}

/** Copy, share and more, at the end of a row. */
export function UploadedActions({ uploaded }: { uploaded: UploadedImage }) {
  const { image, setDialog, dialogs } = useUploaded(uploaded)
  const choice = useCopyChoice()
  const name = image.original_name
  const more = [
    ...copyChoices.map((id) => ({
      id,
      label: copyAs.choices[id],
      isCurrent: id === choice,
      run: () => void copyImage(image, id),
    })),
    { id: 'embed', label: gallery.embed, run: () => setDialog('embed') },
    { id: 'view', label: actions.view, run: () => void open(directLink(image), '_blank', 'noopener') },
  ]
  return (
    <div className="flex" role="group" aria-label={gallery.actionsFor(name)}>
      <CopyButton
        className="btn-icon btn-icon-sm"
        icon={<Link2 className="size-4" aria-hidden />}
        title={copyAs.actions[choice]}
        copied={copy.copied}
        onCopy={() => copyImage(image, choice)}
      >
        <span className="sr-only">{copyAs.actions[choice]}</span>
      </CopyButton>
      <button
        type="button"
        className="btn-icon btn-icon-sm"
        title={actions.share}
        aria-label={actions.share}
        onClick={() => setDialog('share')}
      >
        <Share2 className="size-4" aria-hidden />
      </button>
      <ChoiceMenu
        label={gallery.moreActions}
        className="btn-icon btn-icon-sm"
        icon={<Ellipsis className="size-4" aria-hidden />}
        choices={more}
      />
      {dialogs}
    </div>
  )
}

/** An uploaded image with its dialogs, as it is after they have changed it. */
function useUploaded(uploaded: UploadedImage) {
  const [title, setTitle] = useState(uploaded.title)
  const [name, setDialog] = useState<GuestDialog['name']>()
  const image = { ...uploaded, title }
  const close = () => setDialog(undefined)
  const isOwn = uploaded.delete_token === undefined
  const dialogs =
    isOwn && name === 'share' ? (
      <DialogSection onClose={close}>
        <Suspense>
          <OwnShareSheet image={image} onSaved={(saved) => setTitle(saved.title)} onClose={close} />
        </Suspense>
      </DialogSection>
    ) : (
      <GuestDialogs dialog={name && { name, image }} onTitle={setTitle} onClose={close} />
    )
  return { image, setDialog, dialogs }
}
