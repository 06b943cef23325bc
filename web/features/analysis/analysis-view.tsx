import { Lightbulb } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ImageAnalysis } from '../../../contract/endpoints/images.ts'
import { hasLimitedViews, useSources } from '../../model/images/own-image.ts'
import { analysis } from '../../texts/analysis-messages.ts'
import { ImageWithFallback } from '../../ui/sourced-image.tsx'
import { shownName } from '../../model/images/stored-image.ts'
import { AverageColour } from './average-colour.tsx'
import type { AnalyzedImage } from './analyzed-image.ts'
import { VariantUrls } from './variant-urls.tsx'
import { ImageProperties } from './image-properties.tsx'
import { RecommendedSizes } from './recommended-sizes.tsx'
import { WebpSaving } from './webp-saving.tsx'

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
