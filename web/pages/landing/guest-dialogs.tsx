import { Suspense } from 'react'
import type { ShownImage } from '../../model/images/stored-image.ts'
import { DialogSection } from '../../ui/dialog/dialog-section.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { embeddable } from '../embeddable.ts'

const EmbedDialog = onDemand(async () => (await import('../../features/embed/embed-dialog.tsx')).EmbedDialog)
const GuestShareSheet = onDemand(async () => (await import('../share/guest-share-sheet.tsx')).GuestShareSheet)

export interface GuestDialog {
  name: 'share' | 'embed'
  image: ShownImage
}

interface Props {
  dialog: GuestDialog | undefined
  /** A title was saved. */
  onTitle?: (title: string) => void
  onClose: () => void
}

/** The dialogs of a guest's image. */
export function GuestDialogs({ dialog, onTitle, onClose }: Props) {
  if (dialog === undefined) return null
  const { name, image } = dialog
  return (
    <DialogSection onClose={onClose}>
      <Suspense>
        {name === 'embed' ? (
          <EmbedDialog image={embeddable(image)} onClose={onClose} />
        ) : (
          <GuestShareSheet image={image} {...(onTitle && { onTitle })} onClose={onClose} />
        )}
      </Suspense>
    </DialogSection>
  )
}
