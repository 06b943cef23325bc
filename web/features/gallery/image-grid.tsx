import { Images } from 'lucide-react'
import { useRef } from 'react'
import { loadGallery, useGallery } from '../../data/gallery.ts'
import { deleteImages, extendImages } from '../../data/images.ts'
import type { ShownImage } from '../../data/stored-image.ts'
import { gallery } from '../../notify/gallery-messages.ts'
import { common } from '../../notify/messages.ts'
import { ImageCard } from './image-card.tsx'

/** The signed-in user's images in whatever state they are: on their way, there, none, or not to be had. */
export function ImageGrid({ onEmbed }: { onEmbed: (image: ShownImage) => void }) {
  const { items, status } = useGallery()
  const images = items.filter((image) => image !== undefined)
  const heading = useRef<HTMLHeadingElement>(null)
  const isEmpty = images.length === 0

  async function remove(image: ShownImage): Promise<void> {
    const { failure } = await deleteImages([image])
    if (failure !== undefined) throw failure
    heading.current?.focus({ preventScroll: true })
  }

  return (
    <section className="mt-8" aria-labelledby="images" aria-busy={status === 'loading'}>
      <h2 id="images" ref={heading} tabIndex={-1} className="sr-only">
        {gallery.heading}
      </h2>
      <ul className="images">
        {images.map((image) => (
          <ImageCard
            key={image.id}
            image={image}
            deletedText={gallery.deleted}
            onEmbed={() => onEmbed(image)}
            onExtend={() => extendImages([image])}
            onDelete={() => remove(image)}
          />
        ))}
        {isEmpty && status === 'loading' && <Skeletons />}
      </ul>
      {status === 'failed' && <Failed onRetry={loadGallery} />}
      {isEmpty && status === 'ready' && (
        <div className="card grid min-h-72 place-content-center justify-items-center gap-4 p-8 text-center">
          <Images className="size-10 text-text-3" strokeWidth={1.5} aria-hidden />
          <p className="text-balance text-text-2">{gallery.empty}</p>
        </div>
      )}
    </section>
  )
}

const skeletonCount = 8

function Skeletons() {
  return Array.from({ length: skeletonCount }, (_, at) => <li key={at} className="skeleton aspect-4/5" aria-hidden />)
}

function Failed({ onRetry }: { onRetry: () => Promise<void> }) {
  return (
    <div
      role="alert"
      className="card mt-4 grid min-h-40 place-content-center justify-items-center gap-4 p-8 text-center"
    >
      <p className="font-medium">{gallery.fetchFailed}</p>
      <button type="button" className="btn btn-quiet" onClick={() => void onRetry()}>
        {common.tryAgain}
      </button>
    </div>
  )
}
