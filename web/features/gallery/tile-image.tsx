import { clsx } from 'clsx'
import { FileImage } from 'lucide-react'
import { useState } from 'react'
import { imageUrls } from '../../../contract/derive/client.ts'
import type { Image as StoredImage } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { hasLimitedViews, keyedSources, useSources } from '../../model/images/own-image.ts'
import { placeholderOf, shownName } from '../../model/images/stored-image.ts'
import { useSource } from '../../ui/use-source.ts'
import { thumbnailWidthPx } from './thumbnail-width.ts'

interface Props {
  image: StoredImage
  /** Width of the tile in CSS pixels. */
  width: number
  height: number
  /** Width of the smallest variant to load; by default the thumbnail. */
  smallestPx?: number
  isNamed?: boolean
}

/** The image of a tile: blurred while it loads, a file icon when that fails. */
export function TileImage(props: Props) {
  const { image, width, height, smallestPx } = props
  const sources = thumbSourcesOf(image, width * devicePixelRatio, height * devicePixelRatio, smallestPx)
  if (hasLimitedViews(image)) return <LimitedThumb {...props} sources={sources} />
  return <ShownThumb {...props} sources={keyedSources(image, sources)} />
}

type ShownProps = Props & { sources: readonly string[] }

const LimitedThumb = (props: ShownProps) => <ShownThumb {...props} sources={useSources(props.image, props.sources)} />

function ShownThumb({ image, sources, isNamed = false }: ShownProps) {
  const { source, onError, insteadRef } = useSource(sources)
  const [isLoaded, setLoaded] = useState(() => isCached(source))
  if (source === undefined) {
    return (
      <span
        ref={insteadRef}
        className="thumb grid place-content-center justify-items-center gap-2 bg-surface-2 p-3 text-text-2"
      >
        <FileImage className="size-8 text-text-3" strokeWidth={1.5} aria-hidden />
        {isNamed && (
          <span className="thumb-name" aria-hidden>
            {shownName(image)}
          </span>
        )}
      </span>
    )
  }
  return (
    <span className="thumb" style={isLoaded ? undefined : placeholderOf(image)}>
      <img
        className={clsx('thumb-picture', isLoaded && 'opacity-100')}
        src={source}
        alt=""
        decoding="async"
        draggable={false}
        onLoad={() => setLoaded(true)}
        onError={onError}
      />
    </span>
  )
}

/** Whether the page has loaded it before: it must not fade in again. If not, this is its request. */
function isCached(source: string | undefined): boolean {
  if (source === undefined) return false
  const image = new Image()
  image.src = source
  return image.complete && image.naturalWidth > 0
}

type ImageSource = Pick<StoredImage, 'id' | 'url' | 'thumbnailUrl' | 'width' | 'height'>

/**
 * Returns the URLs to try in this order, for a tile that the image covers.
 * @param width of the tile in device pixels, as is `height`
 * @param smallestPx as of `thumbnailWidthPx`
 */
export function thumbSourcesOf(image: ImageSource, width: number, height: number, smallestPx?: number): string[] {
  const fitting = thumbnailWidthPx(image, width, height, smallestPx)
  const first = fitting === limits.variant.thumbnailPx ? [] : [imageUrls.thumbnail('', image.id, fitting)]
  return [...first, image.thumbnailUrl, image.url]
}
