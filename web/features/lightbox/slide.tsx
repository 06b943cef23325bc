import { FileImage, LoaderCircle } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { hasLimitedViews, useSources } from '../../model/images/own-image.ts'
import { useOnline } from '../../model/online.ts'
import { lightbox } from '../../texts/lightbox-messages.ts'
import { shownName } from '../../model/images/stored-image.ts'
import { fittedSize, slideSourcesOf } from './lightbox-sources.ts'

interface Size {
  width: number
  height: number
}

interface Props {
  /** Undefined until the list has loaded it. */
  image: Image | undefined
  space: Size
  zoom: number
  /** Set while images of the list failed to load. */
  onRetryMissing: (() => void) | undefined
}

export function Slide({ image, onRetryMissing, ...view }: Props) {
  if (image !== undefined) return <LoadedSlide image={image} {...view} />
  return onRetryMissing === undefined ? <Spinner /> : <Failed onRetry={onRetryMissing} />
}

/** One image. Until it can be painted: its blurred thumbnail, and a spinner when that takes long. */
function LoadedSlide({ image, space, zoom }: { image: Image; space: Size; zoom: number }) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const { src, alternatives } = slideSourcesOf(image)
  const [preview] = useSources(image, [image.thumbnailUrl])
  const [source] = useSources(image, [src])
  const isLimited = hasLimitedViews(image)
  if (state === 'failed') return <Failed name={shownName(image)} onRetry={() => setState('loading')} />

  const show = () => setState('shown')
  const size = fittedSize(image, space)
  return (
    <div className="lightbox-picture" style={size}>
      {/* The image fades in over it. */}
      <div className="lightbox-preview" style={{ backgroundColor: image.placeholder }} aria-hidden>
        <img src={preview} alt="" draggable={false} />
      </div>
      {state === 'loading' && <Spinner />}
      <img
        className={state === 'shown' ? 'lightbox-shown' : undefined}
        data-alpha={image.mime === 'image/jpeg' ? undefined : true}
        src={source}
        srcSet={isLimited ? undefined : alternatives.map((one) => `${one.src} ${one.width}w`).join(', ') || undefined}
        sizes={`${Math.max(1, Math.round(size.width * zoom))}px`}
        alt={image.alt || shownName(image)}
        draggable={false}
        // WebKit has then loaded it, but may still decode it.
        onLoad={({ currentTarget }) => void currentTarget.decode().then(show, show)}
        // A larger source for a zoomed image may fail; the smaller one stays visible.
        onError={() => state === 'loading' && setState('failed')}
      />
    </div>
  )
}

/** Unseen, it would still make the browser draw each frame. */
const spinnerAfterMs = 400

function Spinner() {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), spinnerAfterMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return null
  return (
    <span className="lightbox-spinner" role="img" aria-label={lightbox.loading}>
      <LoaderCircle className="spin size-8" aria-hidden />
    </span>
  )
}

/** Without a connection it goes on by itself once there is one. */
function Failed({ name, onRetry }: { name?: string; onRetry: () => void }) {
  const isOnline = useOnline()
  const retry = useEffectEvent(onRetry)
  useEffect(() => {
    const hear = () => retry()
    addEventListener('online', hear)
    return () => removeEventListener('online', hear)
  }, [])
  return (
    <div role="alert" className="grid max-w-full justify-items-center gap-3 p-6 text-center">
      <FileImage className="size-12 text-text-3" strokeWidth={1.5} aria-hidden />
      {name !== undefined && <p className="font-medium wrap-anywhere">{name}</p>}
      <p className="text-text-2">{lightbox.failed}</p>
      {isOnline && (
        <button type="button" className="btn btn-quiet" onClick={onRetry}>
          {lightbox.retry}
        </button>
      )}
    </div>
  )
}
