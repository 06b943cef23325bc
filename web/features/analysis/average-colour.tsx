import { clsx } from 'clsx'
import { Copy } from 'lucide-react'
import type { ImageAnalysis } from '../../../contract/endpoints/images.ts'
import { analysis } from '../../texts/analysis-messages.ts'
import { copyText } from '../../ui/copy/copy-text.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'

interface Props {
  colour: ImageAnalysis['colorInfo']['averageColor']
  dominant: ImageAnalysis['colorInfo']['dominantChannel']
}

export function AverageColour({ colour: { r, g, b }, dominant }: Props) {
  const hex = `#${[r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('')}`
  const bars = [
    { channel: 'red', value: r, fill: 'bg-[#d4353a]' },
    { channel: 'green', value: g, fill: 'bg-[#1f9d55]' },
    { channel: 'blue', value: b, fill: 'bg-[#3568e3]' },
  ] as const
  return (
    <section className="grid gap-3" aria-label={analysis.colour}>
      <h3 className="font-semibold">{analysis.colour}</h3>
      <div className="flex items-center gap-3">
        <span
          className="size-12 shrink-0 rounded-tile border border-border-strong forced-color-adjust-none"
          style={{ backgroundColor: hex }}
        />
        <span className="min-w-0 flex-1 font-mono text-meta">
          <span className="block font-medium">{hex}</span>
          <span className="block text-text-2">{analysis.rgb(r, g, b)}</span>
        </span>
        <CopyButton
          className="btn-icon"
          icon={<Copy className="size-4" aria-hidden />}
          copied={copy.copied}
          onCopy={() => copyText(hex, analysis.colourCopied)}
        >
          <span className="sr-only">{analysis.copyColour}</span>
        </CopyButton>
      </div>
      <dl className="grid gap-1.5 text-meta">
        {bars.map(({ channel, value, fill }) => (
          <div key={channel} className="grid grid-cols-[3.25rem_1fr_2rem] items-center gap-2">
            <dt className={clsx(channel === dominant ? 'font-semibold' : 'text-text-2')}>
              {analysis.channel[channel]}
            </dt>
            <dd className="col-start-3 row-start-1 text-right tabular-nums">{value}</dd>
            <dd className="col-start-2 row-start-1 h-2 overflow-clip rounded-full bg-track" aria-hidden>
              <span
                className={clsx('block h-full rounded-full forced-color-adjust-none', fill)}
                style={{ width: `${(value / 255) * 100}%` }}
              />
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-meta text-text-2">{analysis.dominant(analysis.channel[dominant])}</p>
    </section>
  )
}
