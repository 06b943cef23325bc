import { EmbedDialog } from '../features/embed/embed-dialog.tsx'
import type { ShownImage } from '../model/images/stored-image.ts'
import { embeddable } from './embeddable.ts'

/** The embed dialog of a guest's image. */
export const GuestEmbedDialog = ({ image, onClose }: { image: ShownImage; onClose: () => void }) => (
  <EmbedDialog image={embeddable(image)} onClose={onClose} />
)
