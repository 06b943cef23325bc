// The order of an album by hand: images are dragged, or moved with Alt and the arrow keys.
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { type Move, moveBy, moveToSlot } from '../../model/albums/album-order.ts'
import { moveImages } from '../../model/images/gallery.ts'
import { inAlbum } from '../../texts/albums/adding-messages.ts'
import type { AddChange } from '../../ui/undo/use-undo.ts'
import { saveMove, shownIds } from './album-changes.ts'
import { type Box, dropPlace, slotsOf } from './drop-place.ts'
import { followDrag } from './follow-drag.ts'
import { createOrderSaver } from './order-saver.ts'

interface Props {
  albumId: string
  /** Of the album. */
  count: number
  view: 'grid' | 'list'
  selection: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  /** Offers to undo a move. */
  onChanged: AddChange
  /** The gallery. */
  children: ReactNode
}

interface Dragged {
  ids: ReadonlySet<string>
  /** Selected before the press, which may have changed that. */
  selection: ReadonlySet<string>
  slot: number | undefined
}

export function OrderArea({ albumId, count, view, selection, onSelect, onChanged, children }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const ghost = useRef<HTMLDivElement>(null)
  const dragged = useRef<Dragged>(undefined)
  const [mark, setMark] = useState<CSSProperties>()
  const [shownGhost, setGhost] = useState<{ source: string | undefined; count: number }>()
  const [said, setSaid] = useState('')
  const report = useEffectEvent(onChanged)
  const [saver] = useState(() => ({ current: undefined as ReturnType<typeof createOrderSaver> | undefined }))

  useEffect(() => {
    const order = createOrderSaver((move, from) => saveMove(albumId, move, from, report))
    saver.current = order
    addEventListener('pagehide', order.flush)
    return () => {
      removeEventListener('pagehide', order.flush)
      order.flush()
    }
  }, [albumId, saver])

  function apply(move: Move | undefined, isLast: boolean): boolean {
    const from = shownIds()
    if (move === undefined || !moveImages(move.ids, move.before)) return false
    saver.current?.add(move, from, isLast)
    const place = shownIds().indexOf(move.ids[0]) + 1
    const n = move.ids.length
    setSaid(n === 1 ? inAlbum.movedTo(place, count) : inAlbum.movedSome(n, place, count))
    return true
  }

  const press = useEffectEvent((at: number) => {
    const id = shownIds()[at]
    if (id !== undefined)
      dragged.current = { ids: selection.has(id) ? selection : new Set([id]), selection, slot: undefined }
  })
  const start = useEffectEvent((tile: Element, isTouch: boolean) => {
    const current = dragged.current
    if (current === undefined) return false
    // The long press has deselected it.
    if (isTouch && current.ids === current.selection) onSelect(current.selection)
    setGhost({ source: tile.querySelector('img')?.currentSrc, count: current.ids.size })
    return true
  })
  const move = useEffectEvent((x: number, y: number) => {
    const current = dragged.current
    if (root.current === null || current === undefined) return
    const place = dropPlace(boxesIn(root.current), x, y, view)
    const isPossible = place !== undefined && moveToSlot(shownIds(), current.ids, place.slot) !== undefined
    current.slot = isPossible ? place.slot : undefined
    setMark(isPossible ? { left: place.left, top: place.top, width: place.width, height: place.height } : undefined)
    if (ghost.current !== null) ghost.current.style.transform = `translate(${x}px, ${y}px)`
    markDragged(root.current, current.ids)
  })
  const end = useEffectEvent((isDropped: boolean) => {
    const current = dragged.current
    dragged.current = undefined
    setMark(undefined)
    setGhost(undefined)
    if (root.current !== null) markDragged(root.current, new Set())
    if (isDropped && current?.slot !== undefined) apply(moveToSlot(shownIds(), current.ids, current.slot), true)
  })
  useEffect(() => {
    if (root.current === null) return
    return followDrag(root.current, {
      press: (at) => press(at),
      start: (tile, isTouch) => start(tile, isTouch),
      move: (x, y) => move(x, y),
      end: (isDropped) => end(isDropped),
    })
  }, [])

  function onKeyDown(event: KeyboardEvent): void {
    const tile = (event.target as Element).closest<HTMLElement>('[data-at]')
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || tile === null) return
    const ids = shownIds()
    const at = Number(tile.dataset.at)
    const id = ids[at]
    const slots = slotsOf(root.current === null ? [] : boxesIn(root.current), at, event.key, ids.length)
    if (!event.key.startsWith('Arrow') && slots === undefined) return
    // Alt and an arrow would also go back in the history.
    event.preventDefault()
    if (id === undefined || slots === undefined) return
    const moved = selection.has(id) ? selection : new Set([id])
    if (apply(moveBy(ids, moved, slots), false)) focusImage(root.current, id)
    else if (slots > 0 && ids.includes(undefined)) setSaid(inAlbum.cannotMove)
  }

  return (
    // The tiles inside have the focus, and take the pointer.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={root} className="order-area" data-dragging={shownGhost !== undefined || undefined} onKeyDown={onKeyDown}>
      {children}
      <p className="sr-only" role="status">
        {said}
      </p>
      {mark && <div className="order-mark" style={mark} />}
      {shownGhost && (
        <div ref={ghost} className="order-ghost" aria-hidden>
          {shownGhost.source && <img src={shownGhost.source} alt="" />}
          {shownGhost.count > 1 && <span>{shownGhost.count}</span>}
        </div>
      )}
    </div>
  )
}

const tilesIn = (root: Element) => [...root.querySelectorAll<HTMLElement>('.tiles > [data-at]')]

function boxesIn(root: Element): Box[] {
  const boxes = tilesIn(root).map((tile) => {
    const { left, right, top, bottom } = tile.getBoundingClientRect()
    return { at: Number(tile.dataset.at), left, right, top, bottom }
  })
  return boxes.toSorted((one, other) => one.at - other.at)
}

/** The tiles are the gallery's: it knows nothing of this mark. */
function markDragged(root: Element, ids: ReadonlySet<string>): void {
  const shown = shownIds()
  for (const tile of tilesIn(root)) tile.toggleAttribute('data-dragged', ids.has(shown[Number(tile.dataset.at)] ?? ''))
}

/** Once it is at its new place: the moved element has lost the focus. */
function focusImage(root: Element | null, id: string): void {
  requestAnimationFrame(() => {
    const link = root?.querySelector<HTMLElement>(`[data-at="${shownIds().indexOf(id)}"] > .slot-link`)
    link?.focus({ preventScroll: true })
    link?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  })
}
