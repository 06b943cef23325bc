import { clsx } from 'clsx'
import { Lock } from 'lucide-react'
import { memo } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { shortDate } from '../../format/dates.ts'
import { expiresSoon, expiryLabel } from '../../format/expiry-texts.ts'
import { expiry, expiryPrefix, gallery } from '../../texts/gallery-messages.ts'
import { shownName } from '../../model/images/stored-image.ts'
import { isPrivate } from '../../model/images/visibility.ts'
import { TileActions } from './tile-actions.tsx'
import { SelectBox } from './select-box.tsx'
import { Slot, type SlotProps } from './tile-slot.tsx'
import { TileImage } from './tile-image.tsx'

const thumbPx = 72
const maxButtons = 3

/** An image of the list. */
export const ListRow = memo(function ListRow(props: SlotProps) {
  const { image, at, isSelected, isStop, shared } = props
  const isWide = shared.isDesktop && !shared.hasCoarsePointer
  return (
    <Slot
      {...props}
      className={clsx('row', isWide && 'row-wide', shared.isReadOnly && 'row-read-only')}
      link={
        image && (
          <TileImage image={image} width={thumbPx} height={thumbPx} smallestPx={limits.variant.listThumbnailPx} />
        )
      }
    >
      {(isHot) =>
        image !== undefined && (
          <>
            <Facts image={image} hasHeads={shared.hasHeads} />
            {!shared.isReadOnly && (
              <SelectBox
                name={shownName(image)}
                isSelected={isSelected}
                isReachable={isStop}
                onToggle={(isRange) => shared.selecting.toggle(at, isRange)}
              />
            )}
            {!shared.isReadOnly && (
              <TileActions
                image={image}
                actions={shared.actions}
                maxButtons={isWide && isHot ? maxButtons : 1}
                onMore={shared.onMore}
                hasMenu={shared.hasMenu}
                isReachable={isStop}
                className="row-bar"
                buttonClass="row-button"
              />
            )}
          </>
        )
      }
    </Slot>
  )
})

/**
 * Name and expiry are hidden from screen readers: they are the name of the link.
 * @param hasHeads the columns say what they are, for screen readers the text itself does
 */
function Facts({ image, hasHeads }: { image: Image; hasHeads: boolean }) {
  const now = new Date()
  const label = expiryLabel(image.expires_at, now, expiry)
  return (
    <span className="row-facts">
      <span className="row-name" aria-hidden>
        {isPrivate(image) && <Lock className="mr-1.5 inline size-3.5 align-[-0.125em] text-text-3" />}
        {shownName(image)}
      </span>
      <span className="row-dimensions">{gallery.dimensions(image.width, image.height)}</span>
      <span className="row-size">{formatBytes(image.size)}</span>
      <span className="row-views">
        <span aria-hidden={hasHeads}>
          {hasHeads ? image.views.toLocaleString('en-US') : gallery.views(image.views)}
        </span>
        {hasHeads && <span className="sr-only">{gallery.views(image.views)}</span>}
      </span>
      <span className="row-added">{shortDate(image.created_at)}</span>
      <span
        className={clsx('row-expires', expiresSoon(image.expires_at, now) && 'font-medium text-danger-text')}
        aria-hidden
      >
        {hasHeads ? <InColumn label={label} /> : label}
      </span>
    </span>
  )
}

/** The label without what the head says already, which is still there when the row is copied. */
function InColumn({ label }: { label: string }) {
  const [prefix = ''] = expiryPrefix.exec(label) ?? []
  return (
    <>
      <span className="sr-only">{prefix}</span>
      <span className="row-expiry">{label.slice(prefix.length)}</span>
    </>
  )
}
