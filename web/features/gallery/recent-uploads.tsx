import { useRef, useState, type ReactNode } from 'react'
import { extendGuestImage, useGuestImages } from '../../model/images/guest-images.ts'
import type { CopyChoice } from '../../model/copy-choice.ts'
import type { ShownImage } from '../../model/images/stored-image.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { ImageCard } from './image-card.tsx'

const shownAtFirst = 12

interface Props {
  onCopy: (image: ShownImage, choice: CopyChoice) => Promise<boolean>
  onShare: (image: ShownImage) => void
  onEmbed: (image: ShownImage) => void
  onDelete: (image: ShownImage) => Promise<void>
  /** Renders what can be done with images that were uploaded together. */
  batchActions: (images: readonly ShownImage[]) => ReactNode
}

/** The images that a guest has uploaded from this browser; those that were uploaded together are listed together. */
export function RecentUploads({ onCopy, onShare, onEmbed, onDelete, batchActions }: Props) {
  const images = useGuestImages()
  const [isAll, setAll] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = isAll ? images : firstOf(images)

  async function remove(image: ShownImage): Promise<void> {
    await onDelete(image)
    // The focused button disappears with its card, and the heading with the last card.
    const next = heading.current ?? document.getElementById('main')
    next?.focus({ preventScroll: true })
  }

  if (images.length === 0) return null
  return (
    <section className="mt-20" aria-labelledby="recent">
      <h2 id="recent" ref={heading} tabIndex={-1} className="mb-5 text-h2">
        {gallery.recent}
      </h2>
      <div className="grid gap-8">
        {batchesOf(shown).map((batch) => (
          <div key={batch[0]?.id}>
            {batch.length > 1 && batch[0]?.batch !== undefined && (
              <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
                <h3 className="font-semibold">{gallery.batch(batch.length)}</h3>
                {batchActions(batch)}
              </div>
            )}
            <ul className="images">
              {batch.map((image) => (
                <ImageCard
                  key={image.id}
                  image={image}
                  onCopy={(choice) => onCopy(image, choice)}
                  onShare={() => onShare(image)}
                  onEmbed={() => onEmbed(image)}
                  onExtend={() => extendGuestImage(image)}
                  onDelete={() => remove(image)}
                />
              ))}
            </ul>
          </div>
        ))}
      </div>
      {shown.length < images.length && (
        <button type="button" className="btn btn-quiet mt-5" onClick={() => setAll(true)}>
          {gallery.showAll(images.length)}
        </button>
      )}
    </section>
  )
}

/** The first twelve, and the rest of the batch that they end in. */
function firstOf(images: readonly ShownImage[]): readonly ShownImage[] {
  const last = images[shownAtFirst - 1]?.batch
  const end = images.findIndex(({ batch }, at) => at >= shownAtFirst && (last === undefined || batch !== last))
  return end < 0 ? images : images.slice(0, end)
}

/** Neighbours with the same batch, in the order of their files, and those without one. */
function batchesOf(images: readonly ShownImage[]): ShownImage[][] {
  const batches: ShownImage[][] = []
  for (const image of images) {
    const current = batches.at(-1)
    if (current !== undefined && current[0]?.batch === image.batch) current.push(image)
    else batches.push([image])
  }
  return batches.map((batch) => batch.toSorted((a, b) => (a.batch_at ?? 0) - (b.batch_at ?? 0)))
}
