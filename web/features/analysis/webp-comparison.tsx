import { useState } from 'react'
import { imageUrls, withKey } from '../../../contract/derive/client.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { analysis } from '../../texts/analysis-messages.ts'
import type { AnalyzedImage } from './analyzed-image.ts'
import './webp-comparison.css'

const half = 50

/** The original on the left of a movable divider, the WebP on the right. */
export function WebpComparison({ image }: { image: AnalyzedImage }) {
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
