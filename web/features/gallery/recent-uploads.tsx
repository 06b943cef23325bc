import { useRef, useState } from 'react'
import { deleteGuestImage, extendGuestImage, useGuestImages } from '../../model/images/guest-images.ts'
import type { ShownImage } from '../../model/images/stored-image.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { ImageCard } from './image-card.tsx'

const shownAtFirst = 12

/** The images that a guest has uploaded from this browser. */
export function RecentUploads({ onEmbed }: { onEmbed: (image: ShownImage) => void }) {
  const images = useGuestImages()
  const [isAll, setAll] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = isAll ? images : images.slice(0, shownAtFirst)

  async function remove(image: ShownImage): Promise<void> {
    await deleteGuestImage(image)
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
      <ul className="images">
        {shown.map((image) => (
          <ImageCard
            key={image.id}
            image={image}
            deletedText={gallery.deletedGuest}
            onEmbed={() => onEmbed(image)}
            onExtend={() => extendGuestImage(image)}
            onDelete={() => remove(image)}
          />
        ))}
      </ul>
      {shown.length < images.length && (
        <button type="button" className="btn btn-quiet mt-5" onClick={() => setAll(true)}>
          {gallery.showAll(images.length)}
        </button>
      )}
    </section>
  )
}
