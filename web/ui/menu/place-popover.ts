// Places a popover next to what opened it, within the window.

const marginPx = 8

/** Edges in the window: of an element, or of the pointer. */
export type Anchor = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>

export const pointAnchor = (x: number, y: number): Anchor => ({ left: x, right: x, top: y, bottom: y })

/**
 * Below the anchor, or above it where there is more space; begins at its left edge, or ends at its
 * right one where it would leave the window.
 */
export function placePopover(popover: HTMLElement, anchor: Anchor): void {
  const { offsetWidth: width, offsetHeight: height } = popover
  const isCut = anchor.left + width + marginPx > innerWidth
  const left = isCut ? anchor.right - width : anchor.left
  const isBelow = anchor.bottom + height + marginPx <= innerHeight || anchor.top < innerHeight - anchor.bottom
  const top = isBelow ? anchor.bottom : anchor.top - height
  popover.style.left = `${clamp(left, innerWidth - width)}px`
  popover.style.top = `${clamp(top, innerHeight - height)}px`
}

const clamp = (px: number, max: number) => Math.round(Math.max(marginPx, Math.min(px, max - marginPx)))
