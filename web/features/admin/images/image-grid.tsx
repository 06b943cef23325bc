import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { adminImages as texts } from '../../../texts/admin/admin-images-messages.ts'
import { followViewport } from '../../../ui/follow-viewport.ts'
import { ImageTile } from './image-tile.tsx'
import { tileBox, gridHeightPx, tileAfterKey, windowOf, type TileWindow } from './tile-window.ts'

interface Props {
  images: readonly ModeratedImage[]
  /** Of all pages. */
  total: number
  selection: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  onOpen: (image: ModeratedImage) => void
  /** The end of the loaded images is near. */
  onNearEnd: () => void
}

/** Rows of tiles that load before the window reaches them. */
const rowsAhead = 6

/**
 * A grid of equal tiles, of which only those in view are rendered. One Tab stop; arrows, Home and End
 * move, Space and X select, Ctrl or Cmd with A selects everything loaded.
 */
export function ImageGrid({ images, total, selection, onSelect, onOpen, onNearEnd }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const shown = useTileWindow(list, images.length)
  const [active, setActive] = useState(0)
  const [hasFocus, setFocus] = useState(false)
  const awaitsFocus = useRef(false)
  const stop = Math.min(hasFocus || isIn(shown, active) ? active : shown.first, images.length - 1)

  const load = useEffectEvent(onNearEnd)
  useEffect(() => {
    if (shown.rowPx > 0 && shown.end + rowsAhead * shown.columns >= images.length) load()
  }, [shown, images])

  // After a key the tile to focus may have to be rendered first.
  useLayoutEffect(() => {
    if (!awaitsFocus.current) return
    awaitsFocus.current = false
    list.current?.querySelector<HTMLElement>(`[data-at="${active}"] > button`)?.focus()
  })

  const latest = useRef({ images, selection, onSelect, anchor: 0 })
  useLayoutEffect(() => {
    latest.current = { ...latest.current, images, selection, onSelect }
  })
  const toggle = useCallback((at: number, isRange: boolean) => {
    const { images, selection, onSelect, anchor } = latest.current
    const id = images[at]?.id
    if (id === undefined) return
    const next = new Set(selection)
    if (isRange) for (const one of images.slice(Math.min(anchor, at), Math.max(anchor, at) + 1)) next.add(one.id)
    else if (!next.delete(id)) next.add(id)
    latest.current.anchor = at
    onSelect(next)
  }, [])

  function onKeyDown(event: KeyboardEvent): void {
    const at = tileOf(event.target)
    if (at === undefined || event.altKey) return
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'a') return
      event.preventDefault()
      return onSelect(new Set(images.map(({ id }) => id)))
    }
    const isOnButton = event.target instanceof HTMLButtonElement
    if (event.key.toLowerCase() === 'x' || (event.key === ' ' && isOnButton)) {
      event.preventDefault()
      return toggle(at, event.shiftKey)
    }
    const to = tileAfterKey(event.key, at, shown, images.length)
    if (to === undefined) return
    event.preventDefault()
    awaitsFocus.current = true
    setActive(to)
  }

  const rendered = Array.from({ length: shown.end - shown.first }, (_, n) => shown.first + n)
  // The focused tile stays rendered when it is scrolled out of view.
  if (hasFocus && images.length > 0 && !isIn(shown, stop)) rendered.push(stop)
  return (
    // The buttons and checkboxes inside are interactive; the list handles their keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul
      ref={list}
      className="moderated-grid"
      style={{ height: gridHeightPx(shown, images.length) }}
      aria-label={texts.list}
      data-selecting={selection.size > 0 || undefined}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        setFocus(true)
        setActive(tileOf(event.target) ?? 0)
      }}
      onBlur={() => setFocus(false)}
    >
      {rendered.map((at) => {
        const image = images[at]
        return (
          image && (
            <ImageTile
              key={image.id}
              image={image}
              at={at}
              total={total}
              {...tileBox(shown, at)}
              isSelected={selection.has(image.id)}
              isStop={at === stop}
              onOpen={onOpen}
              onToggle={toggle}
            />
          )
        )
      })}
    </ul>
  )
}

const isIn = ({ first, end }: { first: number; end: number }, at: number) => at >= first && at < end

function tileOf(target: EventTarget): number | undefined {
  const tile = (target as Element).closest<HTMLElement>('[data-at]')
  return tile === null ? undefined : Number(tile.dataset['at'])
}

const nothing: TileWindow = { columns: 1, columnPx: 0, rowPx: 0, gapPx: 0, first: 0, end: 0 }

/** Returns the tiles in view while the page is scrolled and resized. Most frames of a scroll change nothing. */
function useTileWindow(list: RefObject<HTMLElement | null>, count: number): TileWindow {
  const [shown, setShown] = useState(nothing)
  useLayoutEffect(
    () =>
      followViewport(() => {
        if (list.current === null) return
        const next = windowOf({
          widthPx: list.current.clientWidth,
          scrolledPx: -list.current.getBoundingClientRect().top,
          windowPx: innerHeight,
          remPx: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
          count,
        })
        setShown((before) => (isSame(before, next) ? before : next))
      }),
    [list, count],
  )
  return shown
}

const isSame = (one: TileWindow, other: TileWindow) =>
  (Object.keys(one) as (keyof TileWindow)[]).every((key) => one[key] === other[key])
