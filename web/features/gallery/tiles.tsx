import { useCallback, useEffect, useMemo, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Gallery, GalleryQuery } from '../../model/images/gallery.ts'
import type { Action } from '../../ui/action.ts'
import { type Anchor, pointAnchor } from '../../ui/menu/place-popover.ts'
import { useMedia } from '../../ui/use-media.ts'
import { type Layout, type Range, rowOf } from './justify.ts'
import { ListRow } from './list-row.tsx'
import type { Shared } from './tile-slot.tsx'
import { Tile } from './tile.tsx'
import { useInView, useStableScroll } from './use-in-view.ts'
import { useStableFocus } from './use-stable-focus.ts'
import { useLayout } from './use-layout.ts'
import { type SelectedActions, useGalleryKeys } from './use-gallery-keys.ts'
import { tileOf, useLongPress } from './use-long-press.ts'
import { useSelecting } from './use-selecting.ts'

export interface GalleryProps {
  view: 'grid' | 'list'
  /** Target height of the grid's rows in px; by default it depends on the window. */
  rowHeight?: number
  /** In the order of the bar over an image. */
  actions: readonly Action<Image>[]
  selection: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  onSelectAll: () => void
  /** By key: what acts on the selection, while there is one, in place of the focused image. */
  ofSelected: SelectedActions
  onOpen: (image: Image) => void
  /** Opens the menu with all actions, or without an anchor the sheet. */
  onMore: (image: Image, anchor: Anchor | undefined) => void
  /** Whether the lightbox shows one of the images. */
  isViewing?: boolean
  /** Returns the place of the image that it showed last. */
  lastViewed?: () => number | undefined
  isReadOnly?: boolean
  onToggleView?: () => void
  /** Whether single-letter keys are on. */
  shortcutsOn?: boolean
  hasFilters: boolean
  /** In place of a list without images. Default: how to get some. */
  empty?: ReactNode
  onSort: (sort: GalleryQuery['sort']) => void
  onClearFilters: () => void
}

interface Props extends GalleryProps {
  gallery: Gallery
  labelledBy: string
}

/** A virtual list of the images: only those in view are rendered. */
export function Tiles({ gallery, labelledBy, ...props }: Props) {
  const { items } = gallery
  const { view, selection, onSelect, onOpen, onMore, actions, isReadOnly = false } = props
  const list = useRef<HTMLUListElement>(null)
  const hasCoarsePointer = useMedia('(pointer: coarse)')
  const isPhone = useMedia('(max-width: 719.98px)')
  const isDesktop = useMedia('(min-width: 1024px)')
  const hasMenu = !hasCoarsePointer && !isPhone
  const layout = useLayout(list, gallery.ratios, view, props.rowHeight)
  const range = useInView(list, layout, view)
  useStableScroll(list, layout)

  const selecting = useSelecting(items, selection, onSelect)
  const shared = useMemo<Shared>(
    () => ({
      actions,
      onMore: (image: Image, anchor: Anchor) => onMore(image, hasMenu ? anchor : undefined),
      hasMenu,
      isDesktop,
      hasHeads: !isPhone && gallery.query.album === undefined,
      selecting,
      isReadOnly,
      hasCoarsePointer,
    }),
    [actions, onMore, hasMenu, isPhone, gallery.query.album, isDesktop, selecting, isReadOnly, hasCoarsePointer],
  )
  const [active, setActive] = useState(0)
  const { onKeyDown, focusTile } = useGalleryKeys({
    list,
    layout,
    items,
    selecting,
    actions,
    isReadOnly,
    shortcutsOn: props.shortcutsOn ?? true,
    onMoved: setActive,
    onSelectAll: props.onSelectAll,
    onSelectNone: () => selection.size > 0 && onSelect(new Set()),
    onToggleView: props.onToggleView,
    ofSelected: selection.size > 0 ? props.ofSelected : {},
  })
  const { hasFocus, onFocus, onBlur } = useStableFocus(list, gallery, { view, active, setActive, focusTile })
  useReturnedFocus(props.isViewing ?? false, props.lastViewed, focusTile)
  const press = useLongPress(useCallback((at: number) => !isReadOnly && selecting.toggle(at), [isReadOnly, selecting]))

  function onClick(event: MouseEvent): void {
    const at = tileOf(event.target)
    const image = at === undefined ? undefined : items[at]
    const isLink = (event.target as Element).closest('.slot-link') !== null
    // With these keys links open in a new tab or window.
    if (at === undefined || image === undefined || !isLink || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const isSelecting = event.shiftKey || (hasCoarsePointer && selection.size > 0)
    if (isSelecting && !isReadOnly) selecting.toggle(at, event.shiftKey)
    else onOpen(image)
  }

  /** Also by the keyboard's menu key. With Shift the browser shows its own menu. */
  function onContextMenu(event: MouseEvent): void {
    press.onContextMenu(event)
    const at = tileOf(event.target)
    const image = at === undefined ? undefined : items[at]
    const isOwn = !event.defaultPrevented && hasMenu && !isReadOnly && !event.shiftKey
    if (at === undefined || image === undefined || !isOwn) return
    event.preventDefault()
    const isByPointer = event.button === 2 || event.ctrlKey
    const box = event.currentTarget.querySelector(`[data-at="${at}"]`)?.getBoundingClientRect()
    focusTile(at)
    const anchor = isByPointer || box === undefined ? pointAnchor(event.clientX, event.clientY) : middleOf(box)
    const openMenu = () => onMore(image, anchor)
    // Where the button is still down, its release would close the menu as a click next to it.
    if (event.buttons === 0) openMenu()
    else addEventListener('pointerup', () => setTimeout(openMenu), { once: true })
  }

  const stop = hasFocus || isIn(range, active) ? Math.min(active, items.length - 1) : range.first
  // The focused tile stays rendered when it is scrolled out of view.
  const rendered = [
    ...(hasFocus && stop < range.first ? [stop] : []),
    ...Array.from({ length: range.end - range.first }, (_, n) => range.first + n),
    ...(hasFocus && stop >= range.end ? [stop] : []),
  ]
  const render = (at: number) => {
    const SlotOf = view === 'grid' ? Tile : ListRow
    const image = items[at]
    return (
      <SlotOf
        key={image?.id ?? `slot ${at}`}
        image={image}
        at={at}
        count={items.length}
        {...boxOf(layout, at)}
        isSelected={image !== undefined && selection.has(image.id)}
        isStop={at === stop}
        shared={shared}
      />
    )
  }
  return (
    // The links and checkboxes inside are interactive; the list handles their events.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul
      ref={list}
      className="tiles"
      style={{ height: layout.height }}
      aria-labelledby={labelledBy}
      data-selecting={selection.size > 0 || undefined}
      {...press}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        onFocus()
        setActive(tileOf(event.target) ?? 0)
      }}
      onBlur={onBlur}
    >
      {rendered.map(render)}
    </ul>
  )
}

const middleOf = ({ left, top, width, height }: DOMRect) => pointAnchor(left + width / 2, top + height / 2)
const isIn = ({ first, end }: Range, at: number) => at >= first && at < end

function boxOf(layout: Layout, at: number) {
  const { left, width, rowTop, rowHeight } = layout
  const row = rowOf(layout, at)
  return { left: left[at] ?? 0, width: width[at] ?? 0, top: rowTop[row] ?? 0, height: rowHeight[row] ?? 0 }
}

/** After the lightbox has closed, focuses the tile of the image that it showed last. */
function useReturnedFocus(
  isViewing: boolean,
  lastViewed: (() => number | undefined) | undefined,
  focusTile: (at: number) => void,
): void {
  const wasViewing = useRef(false)
  useEffect(() => {
    const at = wasViewing.current && !isViewing ? lastViewed?.() : undefined
    wasViewing.current = isViewing
    if (at === undefined) return
    // The dialog, which closes after this, gives the focus back to the tile that was opened.
    const frame = requestAnimationFrame(() => focusTile(at))
    return () => cancelAnimationFrame(frame)
  }, [isViewing, lastViewed, focusTile])
}
