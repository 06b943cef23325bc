// The result of a guest's upload, of one image or of several; its script loads during the upload.
import { useState } from 'react'
import { copyFormats } from '../features/embed/copy-formats.ts'
import { UploadResult } from '../features/upload/guest/upload-result.tsx'
import { expiryLabel } from '../format/expiry.ts'
import { expiry, result } from '../texts/gallery-messages.ts'
import type { ShownImage } from '../model/images/stored-image.ts'
import { CopyAllImages } from './copy-all-images.tsx'
import { copyImage } from './copy-image.ts'
import { embeddable } from './embeddable.ts'
import { type GuestDialog, GuestDialogs } from './guest-dialogs.tsx'

interface Props {
  images: readonly ShownImage[]
  /** An object URL of the file of a single image. */
  preview: string | undefined
  onAgain: () => void
}

/** Replaces a guest's drop zone after the upload of one image, and stands below the list of several. */
export function LandingResult({ images, preview, onAgain }: Props) {
  const [image] = images
  if (image === undefined) return null
  return preview === undefined ? (
    <SeveralResults images={images} expiry={expiryOf(image)} onAgain={onAgain} />
  ) : (
    <SingleResult uploaded={image} preview={preview} onAgain={onAgain} />
  )
}

interface SingleProps {
  uploaded: ShownImage
  preview: string
  onAgain: () => void
}

function SingleResult({ uploaded, preview, onAgain }: SingleProps) {
  const [title, setTitle] = useState('')
  const [name, setName] = useState<GuestDialog['name']>()
  const image = { ...uploaded, title }
  return (
    <>
      <UploadResult
        image={image}
        preview={preview}
        expiry={expiryOf(image)}
        codes={codesOf(image)}
        onCopy={(choice) => copyImage(image, choice)}
        onShare={() => setName('share')}
        onEmbed={() => setName('embed')}
        onAgain={onAgain}
      />
      <GuestDialogs dialog={name && { name, image }} onTitle={setTitle} onClose={() => setName(undefined)} />
    </>
  )
}

const expiryOf = (image: ShownImage) => expiryLabel(image.expires_at, new Date(), expiry)

/** The URL has its own button. */
const codesOf = (image: ShownImage) =>
  copyFormats.filter(({ id }) => id !== 'url').map(({ label, code }) => ({ label, code: code(embeddable(image)) }))

interface SeveralProps {
  images: readonly ShownImage[]
  expiry: string
  onAgain: () => void
}

function SeveralResults({ images, expiry: expires, onAgain }: SeveralProps) {
  return (
    <div className="grid gap-3 border-t border-border p-3.5 pb-1">
      <CopyAllImages images={images} isPrimary />
      <div className="-mb-1 flex flex-wrap items-center justify-between gap-x-3 border-t border-border pt-2">
        <p className="text-meta text-text-2">{expires}</p>
        <button type="button" className="btn btn-ghost -mr-3 px-3 text-accent-text" onClick={onAgain}>
          {result.more}
        </button>
      </div>
    </div>
  )
}
