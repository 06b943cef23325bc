import { useLayoutEffect, useState, type RefObject } from 'react'
import { showRange } from '../../model/images/gallery.ts'
import { followViewport } from '../../ui/follow-viewport.ts'
import { type Layout, type Range, rangeInView, rowAt, rowOf } from './justify.ts'

const overscanPx = 600
// With the focused tile at most 80 are rendered.
const maxTiles = 79

/** Returns the tiles in view and some around them during scrolling, and loads their pages. */
export function useInView(list: RefObject<HTMLElement | null>, layout: Layout): Range {
  const [view, setView] = useState({ top: 0, bottom: 0 })

  useLayoutEffect(
    () =>
      followViewport(() => {
        if (list.current === null || layout.height === 0) return
        const { top } = list.current.getBoundingClientRect()
        const next = { top: -top, bottom: innerHeight - top }
        const { first, end } = shownIn(layout, next)
        showRange(first, end - 1)
        // Most frames of a scroll change no row and need no render.
        setView((before) => {
          const shown = shownIn(layout, before)
          return shown.first === first && shown.end === end ? before : next
        })
      }),
    [list, layout],
  )

  return shownIn(layout, view)
}

const shownIn = (layout: Layout, { top, bottom }: { top: number; bottom: number }) =>
  rangeInView(layout, top, bottom, overscanPx, maxTiles)

/** Preserves the tile at the top of the window when the same list gets another layout. */
export function useStableScroll(list: RefObject<HTMLElement | null>, layout: Layout): void {
  const [previous] = useState<{ layout?: Layout }>({})
  useLayoutEffect(() => {
    const before = previous.layout
    previous.layout = layout
    const element = list.current
    const isSameList = before !== undefined && before !== layout && before.left.length === layout.left.length
    if (element === null || !isSameList) return
    const scrolled = scrollPaddingTop() - element.getBoundingClientRect().top
    if (scrolled <= 0) return
    const tile = before.rowFirst[rowAt(before.rowTop, scrolled)] ?? 0
    scrollBy({ top: topOf(layout, tile) - topOf(before, tile), behavior: 'instant' })
  }, [list, layout, previous])
}

const topOf = (layout: Layout, tile: number) => layout.rowTop[rowOf(layout, tile)] ?? 0

/** The height of the sticky header. */
const scrollPaddingTop = () => Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0
