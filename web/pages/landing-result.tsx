import { copyFormats } from '../features/embed/copy-formats.ts'
import { UploadResult } from '../features/upload/guest/upload-result.tsx'
import { expiryLabel } from '../format/expiry.ts'
import { expiry } from '../texts/gallery-messages.ts'
import type { ShownImage } from '../model/images/stored-image.ts'
import { embeddable } from './embeddable.ts'

interface Props {
  image: ShownImage
  preview: string
  onEmbed: () => void
  onAgain: () => void
}

/** Replaces a guest's drop zone after the upload; its script loads during the upload. */
export function LandingResult({ image, ...rest }: Props) {
  return (
    <UploadResult
      image={image}
      expiry={expiryLabel(image.expires_at, new Date(), expiry)}
      codes={codesOf(image)}
      {...rest}
    />
  )
}

/** The URL has its own button. */
const codesOf = (image: ShownImage) =>
  copyFormats.filter(({ id }) => id !== 'url').map(({ label, code }) => ({ label, code: code(embeddable(image)) }))
