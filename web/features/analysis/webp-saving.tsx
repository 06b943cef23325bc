import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { webpSize } from './image-analysis.ts'
import { queryClient } from '../../model/query-client.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { analysis } from '../../texts/analysis-messages.ts'
import type { AnalyzedImage } from './analyzed-image.ts'
import { imageUrls, withKey } from '../../../contract/derive/client.ts'
import './webp-comparison.css'

interface Props {
  image: AnalyzedImage
  originalBytes: number
}

/** The size of the image as WebP, or nothing when it is unknown. The images load when the user compares them. */
export function WebpSaving({ image, originalBytes }: Props) {
  const { data: webpBytes, isError } = useQuery(webpSize(image), queryClient)
  const [isCompared, setCompared] = useState(false)
  if (isError) return null
  const most = Math.max(originalBytes, webpBytes ?? 0)
  return (
    <section className="grid min-w-0 gap-3" aria-busy={webpBytes === undefined}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="text-h3">{analysis.webp}</h3>
        <p role="status" className="text-dense text-text-2">
          {webpBytes === undefined ? analysis.measuring : <Verdict before={originalBytes} after={webpBytes} />}
        </p>
      </div>
      <div className="grid gap-2">
        <Bytes label={analysis.original} bytes={originalBytes} most={most} />
        <Bytes label={analysis.webpOf(limits.variant.defaultQuality)} bytes={webpBytes} most={most} />
      </div>
      {isCompared ? (
        <WebpComparison image={image} />
      ) : (
        <button
          type="button"
          className="btn btn-quiet btn-sm justify-self-start"
          disabled={webpBytes === undefined}
          onClick={() => setCompared(true)}
        >
          {analysis.compare}
        </button>
      )}
    </section>
  )
}

function Verdict({ before, after }: { before: number; after: number }) {
  const percent = Math.round((1 - after / before) * 100)
  if (percent === 0) return analysis.same
  return (
    <span className={clsx('font-semibold', percent > 0 ? 'text-success-text' : 'text-warning-text')}>
      {percent > 0 ? analysis.smaller(percent) : analysis.larger(-percent)}
    </span>
  )
}

function Bytes({ label, bytes, most }: { label: string; bytes: number | undefined; most: number }) {
  return (
    <p className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-dense">
      <span>{label}</span>
      <span className="font-medium tabular-nums">{bytes === undefined ? '…' : formatBytes(bytes)}</span>
      <span className="progress col-span-2 block" aria-hidden>
        <span className="progress-fill block" style={{ width: `${((bytes ?? 0) / most) * 100}%` }} />
      </span>
    </p>
  )
}

const half = 50

/** The original on the left of a movable divider, the WebP on the right. */
function WebpComparison({ image }: { image: AnalyzedImage }) {
  const [percent, setPercent] = useState(half)
  const size = { width: image.width || undefined, height: image.height || undefined }
  return (
    <figure className="comparison">
      <img
        src={withKey(imageUrls.webp('', image.id), image.view_key)}
        alt={analysis.webpOf(limits.variant.defaultQuality)}
        {...size}
      />
      <img
        src={withKey(image.url, image.view_key)}
        alt={analysis.original}
        {...size}
        style={{ clipPath: `inset(0 ${100 - percent}% 0 0)` }}
      />
      <span className="comparison-line" style={{ left: `${percent}%` }} aria-hidden />
      <input
        type="range"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed
        autoFocus
        min={0}
        max={100}
        value={percent}
        aria-label={analysis.compareLabel}
        aria-valuetext={analysis.comparePercent(percent)}
        onChange={({ target }) => setPercent(Number(target.value))}
      />
      <figcaption className="comparison-names" aria-hidden>
        <span>{analysis.original}</span>
        <span>{analysis.webpOf(limits.variant.defaultQuality)}</span>
      </figcaption>
    </figure>
  )
}
