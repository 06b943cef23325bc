import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { embed } from '../../texts/embed-messages.ts'
import {
  hasNoVariants,
  linkTargets,
  widthsOf,
  type EmbeddedImage,
  type EmbedWidth,
  type LinkTarget,
} from './embedded-image.ts'

export interface Options {
  width: EmbedWidth
  alt: string
  isResponsive: boolean
  linkTarget: LinkTarget
}

interface Props extends Options {
  image: EmbeddedImage
  /** Whether the code can be a link. */
  canLink: boolean
  onChange: (change: Partial<Options>) => void
}

export function EmbedOptions({ image, width, alt, isResponsive, linkTarget, canLink, onChange }: Props) {
  const ids = useId()
  const whyNot = hasNoVariants(image) ? embed.asIs : image.width === 0 ? embed.unknownSize : undefined
  return (
    <div className="grid gap-x-4 gap-y-3 md:grid-cols-[auto_auto_1fr_auto]">
      <p>
        <label htmlFor={`${ids}-width`} className="mb-1 block text-meta font-medium">
          {embed.width}
        </label>
        <span className="select w-full md:w-40">
          <select
            id={`${ids}-width`}
            className="coarse:h-12"
            value={width}
            onChange={({ target }) =>
              onChange({ width: widthsOf(image).find((w) => String(w) === target.value) ?? width })
            }
          >
            {widthsOf(image).map((offered) => (
              <option key={offered} value={offered}>
                {offered === 'original' ? originalLabel(image) : embed.px(offered)}
              </option>
            ))}
          </select>
          <ChevronDown className="size-4" aria-hidden />
        </span>
      </p>
      <p>
        <label htmlFor={`${ids}-link`} className="mb-1 block text-meta font-medium">
          {embed.link}
        </label>
        <span className="select w-full md:w-32">
          <select
            id={`${ids}-link`}
            className="coarse:h-12"
            value={canLink ? linkTarget : 'none'}
            disabled={!canLink}
            onChange={({ target }) =>
              onChange({ linkTarget: linkTargets.find((offered) => offered === target.value) ?? linkTarget })
            }
          >
            {linkTargets.map((offered) => (
              <option key={offered} value={offered}>
                {embed.linkTargets[offered]}
              </option>
            ))}
          </select>
          <ChevronDown className="size-4" aria-hidden />
        </span>
      </p>
      <p>
        <label htmlFor={`${ids}-alt`} className="mb-1 block text-meta font-medium">
          {embed.alt}
        </label>
        <input
          id={`${ids}-alt`}
          className="field"
          value={alt}
          autoComplete="off"
          aria-describedby={`${ids}-alt-hint`}
          onChange={({ target }) => onChange({ alt: target.value })}
        />
        <span
          id={`${ids}-alt-hint`}
          role="status"
          className={clsx('mt-1 block text-meta', alt.trim() === '' ? 'text-warning-text' : 'text-text-3')}
        >
          {alt.trim() === '' ? embed.decorative : embed.altHint}
        </span>
      </p>
      <p className="md:max-w-52 md:pt-5.5">
        <label className="flex min-h-10 items-center gap-2.5 font-medium coarse:min-h-11">
          <input
            type="checkbox"
            className="checkbox-box"
            checked={isResponsive && whyNot === undefined}
            disabled={whyNot !== undefined}
            aria-describedby={`${ids}-responsive-hint`}
            onChange={({ target }) => onChange({ isResponsive: target.checked })}
          />
          {embed.responsive}
        </label>
        <span id={`${ids}-responsive-hint`} className="block text-meta text-text-3">
          {whyNot ?? embed.responsiveHint}
        </span>
      </p>
    </div>
  )
}

const originalLabel = ({ width }: EmbeddedImage) => (width === 0 ? embed.original : embed.originalPx(width))
