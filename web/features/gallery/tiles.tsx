import { useCallback, useMemo, useRef, useState, type MouseEvent } from 'react'
import type { Gallery } from '../../data/gallery.ts'
import type { GalleryProps } from './gallery.tsx'
import { useMedia } from '../../ui/media.ts'
import { type Layout, type Range, rowOf } from './justify.ts'
import { Row } from './row.tsx'
import type { Shared } from './slot.tsx'
import { Tile } from './tile.tsx'
import { useInView, useKeptPlace } from './use-in-view.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useLayout } from './use-layout.ts'
import { useKeys } from './use-keys.ts'
import { tileOf, useLongPress } from './use-long-press.ts'
import { useSelecting } from './use-selecting.ts'

interface Props extends GalleryProps {
  gallery: Gallery
  labelledBy: string
}

/** The images themselves: of a list however long, those are drawn that are in view. */
export function Tiles({ gallery, labelledBy, ...props }: Props) {
  const { items } = gallery
  const { view, selection, onSelect, onOpen, onMore, actions, isReadOnly = false } = props
  const list = useRef<HTMLUListElement>(null)
  const isCoarse = useMedia('(pointer: coarse)')
  const layout = useLayout(list, gallery.ratios, view, props.rowHeight)
  const range = useInView(list, layout)
  useKeptPlace(list, layout)

  const selecting = useSelecting(items, selection, onSelect)
  const shared = useMemo<Shared>(
    () => ({ actions, onMore, selecting, isReadOnly, isCoarse }),
    [actions, onMore, selecting, isReadOnly, isCoarse],
  )
  const [active, setActive] = useState(0)
  const { onKeyDown, focusTile } = useKeys({
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
  })
  const { hasFocus, onFocus, onBlur } = useKeptFocus(list, gallery, { active, setActive, focusTile })
  const press = useLongPress(useCallback((at: number) => !isReadOnly && selecting.toggle(at), [isReadOnly, selecting]))

  function onClick(event: MouseEvent): void {
    const at = tileOf(event.target)
    const image = at === undefined ? undefined : items[at]
    const isLink = (event.target as Element).closest('.slot-link') !== null
    // With these keys, links open in a tab or window of their own.
    if (at === undefined || image === undefined || !isLink || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const isChoosing = event.shiftKey || (isCoarse && selection.size > 0)
    if (isChoosing && !isReadOnly) selecting.toggle(at, event.shiftKey)
    else onOpen(image)
  }

  const stop = hasFocus || isIn(range, active) ? Math.min(active, items.length - 1) : range.first
  // The tile that the keyboard is on stays, however far one scrolls.
  const drawn = [
    ...(hasFocus && stop < range.first ? [stop] : []),
    ...Array.from({ length: range.end - range.first }, (_, n) => range.first + n),
    ...(hasFocus && stop >= range.end ? [stop] : []),
  ]
  const draw = (at: number) => {
    const SlotOf = view === 'grid' ? Tile : Row
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
    // The links and boxes inside are what is operated; the list hears of it for all of them.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul
      ref={list}
      className="tiles"
      style={{ height: layout.height }}
      aria-labelledby={labelledBy}
      data-selecting={selection.size > 0 || undefined}
      {...press}
      onClick={onClick}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        onFocus()
        setActive(tileOf(event.target) ?? 0)
      }}
      onBlur={onBlur}
    >
      {drawn.map(draw)}
    </ul>
  )
}

const isIn = ({ first, end }: Range, at: number) => at >= first && at < end

function boxOf(layout: Layout, at: number) {
  const { left, width, rowTop, rowHeight } = layout
  const row = rowOf(layout, at)
  return { left: left[at] ?? 0, width: width[at] ?? 0, top: rowTop[row] ?? 0, height: rowHeight[row] ?? 0 }
}
