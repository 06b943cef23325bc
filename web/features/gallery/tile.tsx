import { memo } from 'react'
import { clsx } from 'clsx'
import { Lock } from 'lucide-react'
import { expiresSoon, expiryLabel } from '../../format/expiry-texts.ts'
import { expiry } from '../../texts/gallery-messages.ts'
import { shownName } from '../../model/images/stored-image.ts'
import { isPrivate } from '../../model/images/visibility.ts'
import { TileActions } from './tile-actions.tsx'
import { SelectBox } from './select-box.tsx'
import { Slot, type SlotProps } from './tile-slot.tsx'
import { TileImage } from './tile-image.tsx'

const [buttonPx, gapPx, paddingPx, selectBoxPx] = [32, 6, 16, 34]
/** From this height on, a name below the icon of a missing image leaves room for the badge at the lower edge. */
const namedPx = 116

/** An image of the grid. */
export const Tile = memo(function Tile(props: SlotProps) {
  const { image, at, width, height, isSelected, isStop, shared } = props
  return (
    <Slot
      {...props}
      className="tile"
      link={image && <TileImage image={image} width={width} height={height} isNamed={height >= namedPx} />}
    >
      {(isHoveredOrFocused) =>
        image !== undefined && (
          <>
            <Caption
              name={shownName(image)}
              expiresAt={image.expires_at}
              isPrivate={isPrivate(image)}
              isHoveredOrFocused={isHoveredOrFocused}
            />
            {!shared.isReadOnly && (
              <SelectBox
                name={shownName(image)}
                isSelected={isSelected}
                isReachable={isStop && isHoveredOrFocused}
                onToggle={(isRange) => shared.selecting.toggle(at, isRange)}
              />
            )}
            {!shared.isReadOnly && (isHoveredOrFocused || shared.hasCoarsePointer) && (
              <TileActions
                image={image}
                actions={shared.actions}
                maxButtons={shared.hasCoarsePointer ? 1 : buttonsIn(width)}
                onMore={shared.onMore}
                hasMenu={shared.hasMenu}
                isReachable={isStop}
                className="tile-bar"
                buttonClass="btn-overlay"
              />
            )}
          </>
        )
      }
    </Slot>
  )
})

/** The number of buttons that fit beside the checkbox. Buttons scale with the font size. */
function buttonsIn(width: number): number {
  const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
  return Math.max(1, Math.floor((width / scale - paddingPx - selectBoxPx + gapPx) / (buttonPx + gapPx)))
}

interface CaptionProps {
  name: string
  expiresAt: string | null
  isPrivate: boolean
  isHoveredOrFocused: boolean
}

function Caption({ name, expiresAt, isPrivate, isHoveredOrFocused }: CaptionProps) {
  const now = new Date()
  return (
    <>
      {isHoveredOrFocused && (
        <span className="tile-name" aria-hidden>
          <span className="truncate">{name}</span>
        </span>
      )}
      {isPrivate && (
        <span className={clsx('tile-lock', isHoveredOrFocused && 'tile-badge-up')} aria-hidden>
          <Lock className="size-3.5" />
        </span>
      )}
      {expiresAt === null && isHoveredOrFocused && (
        <span className="tile-kept" aria-hidden>
          {expiry.kept}
        </span>
      )}
      {expiresSoon(expiresAt, now) && (
        <span className={clsx('tile-badge', isHoveredOrFocused && 'tile-badge-up')} aria-hidden>
          {expiryLabel(expiresAt, now, expiry)}
        </span>
      )}
    </>
  )
}
