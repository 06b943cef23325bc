import { clsx } from 'clsx'
import { useState, type FocusEvent, type ReactNode } from 'react'
import type { Image } from '../../../contract/images.ts'
import { expiryLabel } from '../../format/expiry.ts'
import { expiry, gallery } from '../../texts/gallery-messages.ts'
import { common } from '../../texts/messages.ts'
import type { Action } from '../../ui/action.ts'
import type { Selecting } from './use-selecting.ts'

/** What all tiles of a gallery have in common. */
export interface Shared {
  actions: readonly Action<Image>[]
  onMore: (image: Image) => void
  selecting: Selecting
  isReadOnly: boolean
  isCoarse: boolean
}

/** A place in the list: primitives alone, so that scrolling draws only the tiles that come. */
export interface SlotProps {
  image: Image | undefined
  at: number
  count: number
  left: number
  top: number
  width: number
  height: number
  isSelected: boolean
  /** Tab stops at one tile of the list. */
  isStop: boolean
  shared: Shared
}

interface Props extends SlotProps {
  className: string
  /** Inside of the link that opens the picture. */
  link: ReactNode
  /** Beside the link. `isHot`: the pointer is on it, or the focus in it. */
  children: (isHot: boolean) => ReactNode
}

/** A list item at its place, with the link that opens the picture. */
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
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only to know where the pointer is
    <li
      className={clsx('slot', className)}
      style={{ left, top, width, height }}
      data-at={at}
      data-selected={isSelected || undefined}
      aria-setsize={count}
      aria-posinset={at + 1}
      // Not onPointerEnter, which React leaves out where what lay over it has just been removed: a dialog.
      onPointerOver={({ pointerType }) => setHovered(pointerType !== 'touch')}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={(event) => setFocused(isInside(event))}
    >
      <a
        className="slot-link"
        // While its page is read it leads nowhere, but the keyboard can stand on it.
        {...(image === undefined ? { role: 'link', 'aria-disabled': true } : { href: image.url })}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a link, also then
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

const nameOf = ({ original_name, expires_at }: Image) =>
  gallery.tile(original_name, expiryLabel(expires_at, new Date(), expiry))

/** Or in a dialog: it gives the focus back to the button that opened it, which must be there still. */
const isInside = ({ currentTarget, relatedTarget }: FocusEvent) =>
  currentTarget.contains(relatedTarget) || (relatedTarget?.closest('dialog') ?? null) !== null
