import { clsx } from 'clsx'
import { startTransition, useState, type FocusEvent, type ReactNode } from 'react'
import { withKey } from '../../../contract/derive/client.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { expiryLabel } from '../../format/expiry-texts.ts'
import { expiry, gallery } from '../../texts/gallery-messages.ts'
import { common } from '../../texts/messages.ts'
import type { Action } from '../../ui/action.ts'
import type { Anchor } from '../../ui/menu/place-popover.ts'
import { shownName } from '../../model/images/stored-image.ts'
import { isPrivate } from '../../model/images/visibility.ts'
import type { Selecting } from './use-selecting.ts'

/** Props that all tiles of a gallery share. */
export interface Shared {
  actions: readonly Action<Image>[]
  onMore: (image: Image, anchor: Anchor) => void
  /** Whether further actions are in a menu at the pointer, or in a sheet. */
  hasMenu: boolean
  /** Whether a hovered row has room for its buttons; otherwise it has the menu alone, which leaves more for the name. */
  isDesktop: boolean
  /** Whether the list has heads. */
  hasHeads: boolean
  selecting: Selecting
  isReadOnly: boolean
  hasCoarsePointer: boolean
}

/** Only primitives and stable objects, so that scrolling renders only new tiles. */
export interface SlotProps {
  image: Image | undefined
  at: number
  count: number
  left: number
  top: number
  width: number
  height: number
  isSelected: boolean
  /** Whether Tab stops at this tile; it does at one tile of the list. */
  isStop: boolean
  shared: Shared
}

interface Props extends SlotProps {
  className: string
  /** Content of the link that opens the image. */
  link: ReactNode
  /** Content beside the link. `isHot`: the tile is hovered or has the focus. */
  children: (isHot: boolean) => ReactNode
}

/** A positioned list item with the link that opens the image. */
export function Slot({
  image,
  at,
  count,
  left,
  top,
  width,
  height,
  isSelected,
  isStop,
  className,
  link,
  children,
}: Props) {
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  // A press does not wait for the buttons that the pointer brings up.
  const hover = (is: boolean) => startTransition(() => setHovered(is))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only tracks the pointer
    <li
      className={clsx('slot', className)}
      style={{ left, top, width, height }}
      data-at={at}
      data-selected={isSelected || undefined}
      aria-setsize={count}
      aria-posinset={at + 1}
      // Not onPointerEnter: React omits it when a dialog above the tile has just been removed.
      onPointerOver={({ pointerType }) => hover(pointerType !== 'touch')}
      onPointerLeave={() => hover(false)}
      onFocus={() => setFocused(true)}
      onBlur={(event) => setFocused(isInside(event))}
    >
      <a
        className="slot-link"
        // Without href while the image is loading, but focusable.
        {...(image === undefined
          ? { role: 'link', 'aria-disabled': true }
          : { href: withKey(image.url, image.view_key) })}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a link without href needs it
        tabIndex={isStop ? 0 : -1}
        draggable={false}
      >
        {image === undefined ? <span className="slot-blank" /> : link}
        <span className="sr-only">{image === undefined ? common.loading : nameOf(image)}</span>
      </a>
      {image !== undefined && children(isHovered || isFocused)}
    </li>
  )
}

function nameOf(image: Image): string {
  const name = isPrivate(image) ? gallery.privateName(shownName(image)) : shownName(image)
  return gallery.tile(name, expiryLabel(image.expires_at, new Date(), expiry))
}

/** A dialog or menu counts as inside: its opener, which gets the focus back, must still exist. */
const isInside = ({ currentTarget, relatedTarget }: FocusEvent) =>
  currentTarget.contains(relatedTarget) || (relatedTarget?.closest('dialog, [popover]') ?? null) !== null
