import { Check, EyeOff } from 'lucide-react'
import { memo } from 'react'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { isAvailable } from './admin-images.ts'
import { useSources } from '../../../model/images/own-image.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { shortDate } from '../../../format/dates.ts'
import { adminImages as texts } from '../../../texts/admin/admin-images-messages.ts'
import { ImageWithFallback } from '../../../ui/sourced-image.tsx'

interface Props {
  image: ModeratedImage
  at: number
  /** Of all pages; Infinity when it was not counted. */
  total: number
  left: number
  top: number
  width: number
  height: number
  isSelected: boolean
  /** Whether Tab stops at this tile; it does at one tile of the grid. */
  isStop: boolean
  onOpen: (image: ModeratedImage) => void
  /** @param isRange selects everything from the last selected image to this one */
  onToggle: (at: number, isRange: boolean) => void
}

/** Only primitives and stable objects, so that scrolling renders only new tiles. */
export const ImageTile = memo(function ImageTile(props: Props) {
  const { image, at, total, left, top, width, height, isSelected, isStop, onOpen, onToggle } = props
  const { original_name: name, owner } = image
  const tabIndex = isStop ? 0 : -1
  const sources = useSources(image, [image.thumbnailUrl])
  return (
    <li
      className="moderated"
      style={{ left, top, width, height }}
      data-at={at}
      data-selected={isSelected || undefined}
      aria-setsize={Number.isFinite(total) ? total : -1}
      aria-posinset={at + 1}
    >
      <button
        type="button"
        className="block min-h-0 w-full flex-1 rounded-t-card"
        aria-label={texts.view(name)}
        tabIndex={tabIndex}
        onClick={() => onOpen(image)}
      >
        {isAvailable(image) ? (
          <ImageWithFallback sources={sources} alt="" className="size-full bg-surface-2 object-cover" />
        ) : (
          <span className="grid size-full place-items-center bg-surface-2 text-text-3">
            <EyeOff className="size-7" strokeWidth={1.5} aria-hidden />
          </span>
        )}
      </button>
      <span className="select-box top-2 left-2">
        <input
          type="checkbox"
          aria-label={texts.select(name)}
          tabIndex={tabIndex}
          checked={isSelected}
          onChange={(event) => onToggle(at, (event.nativeEvent as MouseEvent).shiftKey)}
        />
        {isSelected && <Check className="select-mark" strokeWidth={3} aria-hidden />}
      </span>
      <div className="border-t border-border px-3 py-2 text-meta">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-text-2">{owner?.email ?? texts.guest}</p>
        <p className="truncate text-text-2 tabular-nums">
          {texts.facts(formatBytes(image.size), shortDate(image.created_at))}
        </p>
      </div>
      <StateBadge image={image} />
    </li>
  )
})

function StateBadge({ image }: { image: ModeratedImage }) {
  if (isAvailable(image)) return null
  const text = image.quarantined_at === null ? texts.ownerInactive : texts.quarantined
  return (
    <span className="badge badge-dot pointer-events-none absolute top-2 right-2" data-tone="warning">
      {text}
    </span>
  )
}
