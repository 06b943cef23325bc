import { Lightbulb, Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ImageAnalysis } from '../../../contract/endpoints/images.ts'
import { hasLimitedViews, useSources } from '../../model/images/own-image.ts'
import { analysis } from '../../texts/analysis-messages.ts'
import { ImageWithFallback } from '../../ui/sourced-image.tsx'
import { shownName } from '../../model/images/stored-image.ts'
import { AverageColour } from './average-colour.tsx'
import type { AnalyzedImage } from './analyzed-image.ts'
import { RecommendedSizes } from './recommended-sizes.tsx'
import { WebpSaving } from './webp-saving.tsx'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { copyText } from '../../ui/copy/copy-text.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'

interface Props {
  image: AnalyzedImage
  found: ImageAnalysis
}

export function AnalysisView({ image, found }: Props) {
  const sources = useSources(image, [image.thumbnailUrl, image.url])
  return (
    <>
      <div className="grid gap-6 md:grid-cols-[18rem_1fr] 3xl:grid-cols-[22rem_1fr]">
        <div className="grid min-w-0 content-start gap-5">
          <div className="grid place-items-center overflow-clip rounded-control border border-border bg-surface-2">
            <ImageWithFallback
              sources={sources}
              alt={shownName(image)}
              width={image.width}
              height={image.height}
              className="h-auto max-h-64 w-auto max-w-full object-contain"
            />
          </div>
          <AverageColour colour={found.colorInfo.averageColor} dominant={found.colorInfo.dominantChannel} />
        </div>
        <ImageProperties fileName={found.file_name} original={found.original} />
      </div>
      <Section title={analysis.tips}>
        <ul className="grid gap-2">
          {(found.optimizationTips.length === 0 ? [analysis.noTips] : found.optimizationTips).map((tip) => (
            <li key={tip} className="flex gap-3 rounded-control bg-surface-2 px-3.5 py-2.5">
              <Lightbulb className="mt-0.5 size-4.5 shrink-0 text-warning-text" aria-hidden />
              <span className="min-w-0 wrap-anywhere">{tip}</span>
            </li>
          ))}
        </ul>
      </Section>
      {/* Comparing loads both. */}
      {found.original.format !== 'svg' && !hasLimitedViews(image) && (
        <WebpSaving image={image} originalBytes={found.original.size} />
      )}
      <Section title={analysis.sizes}>
        <RecommendedSizes
          id={found.id}
          sizes={found.recommendedSizes}
          base={new URL(found.apiEndpoints.original).origin}
        />
      </Section>
      <Section title={analysis.endpoints}>
        <VariantUrls endpoints={found.apiEndpoints} />
      </Section>
    </>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-3">
      <h3 className="text-h3">{title}</h3>
      {children}
    </section>
  )
}

interface PropertiesProps {
  fileName: string
  original: ImageAnalysis['original']
}

function ImageProperties({ fileName, original }: PropertiesProps) {
  return (
    <section aria-label={analysis.facts} className="min-w-0">
      <h3 className="mb-2 font-mono text-dense font-medium wrap-anywhere">{fileName}</h3>
      <table className="w-full border-collapse text-dense">
        <tbody>
          {rowsOf(original).map(([label, value]) => (
            <tr key={label} className="border-t border-border">
              <th scope="row" className="py-1.5 pr-4 text-left font-normal text-text-2">
                {label}
              </th>
              <td className="py-1.5 text-right font-medium tabular-nums">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function rowsOf(original: ImageAnalysis['original']): [label: string, value: string | number][] {
  const { labels, spaces, depths, yes, no } = analysis
  const { format, width, height, size, space, channels, hasAlpha, depth, isProgressive, hasProfile, pages } = original
  return [
    [labels.format, format.toUpperCase()],
    [labels.dimensions, analysis.dimensions(width, height)],
    [labels.size, formatBytes(size)],
    [labels.space, spaces[space] ?? space],
    [labels.channels, channels],
    [labels.alpha, hasAlpha ? yes : no],
    [labels.depth, depths[depth] ?? depth],
    [labels.progressive, isProgressive ? yes : no],
    [labels.profile, hasProfile ? yes : no],
    [labels.frames, pages],
  ]
}

const names = ['original', 'resize', 'webp'] as const

function VariantUrls({ endpoints }: { endpoints: ImageAnalysis['apiEndpoints'] }) {
  return (
    <ul className="grid gap-2">
      {names.map((name) => (
        <li
          key={name}
          className="grid grid-cols-[1fr_auto] items-center gap-x-3 rounded-control border border-border py-1.5 pr-1.5 pl-3.5 md:grid-cols-[5rem_1fr_auto]"
        >
          <span className="col-start-1 row-start-1 text-dense font-medium">{analysis.endpointNames[name]}</span>
          <code className="col-span-2 row-start-2 min-w-0 text-meta wrap-anywhere text-text-2 md:col-span-1 md:col-start-2 md:row-start-1">
            {endpoints[name]}
          </code>
          <CopyButton
            className="btn btn-ghost btn-sm col-start-2 row-start-1 md:col-start-3"
            icon={<Copy className="size-4" aria-hidden />}
            copied={copy.copied}
            onCopy={() => copyText(endpoints[name], copy.url)}
          >
            {copy.action}
            <span className="sr-only">{analysis.endpointNames[name]}</span>
          </CopyButton>
        </li>
      ))}
    </ul>
  )
}
