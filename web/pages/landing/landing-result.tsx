// The result of a guest's upload, of one image or of several; its script loads during the upload.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { copyFormats } from '../../features/embed/copy-formats.ts'
import { UploadResult } from '../../features/upload/guest/upload-result.tsx'
import type { ShownUploads } from '../../features/upload/guest/shown-uploads.ts'
import { expiryLabel } from '../../format/expiry-texts.ts'
import { expiry, result } from '../../texts/gallery-messages.ts'
import { useGuestImages } from '../../model/images/guest-images.ts'
import type { ShownImage } from '../../model/images/stored-image.ts'
import { copyImage } from '../copy-image.ts'
import { canHaveLink } from '../../model/images/guest-albums.ts'
import { GuestBatchLink } from '../share/guest-batch-link.tsx'
import { type GuestDialog, GuestDialogs } from './guest-dialogs.tsx'
import { UploadedActions, UploadedImages } from '../uploaded-images.tsx'

/** Replaces a guest's drop zone after the upload of one image; of several it is in their rows, and below their list. */
export function LandingResult({ images, preview, isRow = false, onAgain }: ShownUploads) {
  const [image] = images
  if (image === undefined) return null
  if (isRow) return <UploadedActions uploaded={image} />
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
  const isListed = useGuestImages().some(({ id }) => id === uploaded.id)
  const wasListed = useRef(false)
  const leave = useEffectEvent(onAgain)
  // It was deleted in the list below.
  useEffect(() => {
    if (wasListed.current && !isListed) leave()
    wasListed.current = isListed
  }, [isListed])
  return (
    <>
      <UploadResult
        image={image}
        preview={preview}
        expiry={expiryOf(image)}
        codes={codes}
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
const codes = copyFormats.filter((format) => format.id !== 'url')

interface SeveralProps {
  images: readonly UploadedImage[]
  expiry: string
  onAgain: () => void
}

function SeveralResults({ images, expiry: expires, onAgain }: SeveralProps) {
  return (
    <div className="grid gap-3 border-t border-border p-3.5 pb-1">
      <GuestBatchLink images={images} isPrimary />
      <UploadedImages images={images} isPrimary={!canHaveLink(images)} />
      <div className="-mb-1 flex flex-wrap items-center justify-between gap-x-3 border-t border-border pt-2">
        <p className="text-meta text-text-2">{expires}</p>
        <button type="button" className="btn btn-ghost -mr-3 px-3 text-accent-text" onClick={onAgain}>
          {result.more}
        </button>
      </div>
    </div>
  )
}
