import { Copy } from 'lucide-react'
import { imageUrls } from '../../../contract/derive/client.ts'
import type { ImageAnalysis } from '../../../contract/endpoints/images.ts'
import { analysis } from '../../texts/analysis-messages.ts'
import { copyText } from '../../ui/copy/copy-text.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'

interface Props {
  id: string
  sizes: ImageAnalysis['recommendedSizes']
  /** Origin of the URLs to copy. */
  base: string
}

const names = ['thumbnail', 'mobile', 'tablet', 'desktop'] as const
const stage = { width: 160, height: 100 }

/** Each size as an outline, all to one scale. */
export function RecommendedSizes({ id, sizes, base }: Props) {
  const scale = Math.min(stage.width / sizes.desktop.width, stage.height / sizes.desktop.height)
  return (
    <ul className="grid grid-cols-2 gap-3 md:grid-cols-4">
      {names.map((name) => (
        <li key={name} className="grid min-w-0 gap-2 rounded-control border border-border p-3">
          <Outline width={sizes[name].width * scale} height={sizes[name].height * scale} />
          <p className="min-w-0">
            <span className="block font-medium">{analysis.sizeNames[name]}</span>
            <span className="block text-meta text-text-2 tabular-nums">
              {analysis.dimensions(sizes[name].width, sizes[name].height)}
            </span>
          </p>
          <CopyButton
            className="btn btn-quiet btn-sm"
            icon={<Copy className="size-4" aria-hidden />}
            copied={copy.copied}
            onCopy={() => copyText(imageUrls.resize(base, id, sizes[name].width), copy.url)}
          >
            {analysis.copyUrl}
            <span className="sr-only">{analysis.copyUrlOf(analysis.sizeNames[name])}</span>
          </CopyButton>
        </li>
      ))}
    </ul>
  )
}

/** Of a width and height in pixels of the stage. */
function Outline({ width, height }: { width: number; height: number }) {
  return (
    <svg viewBox={`-1 -1 ${stage.width + 2} ${stage.height + 2}`} className="w-full" aria-hidden>
      <rect
        y={stage.height - height}
        width={width}
        height={height}
        rx="2"
        className="fill-accent-soft stroke-accent-text"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
