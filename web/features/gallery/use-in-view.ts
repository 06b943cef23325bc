import { startTransition, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { showRange } from '../../model/images/gallery.ts'
import { followViewport } from '../../ui/follow-viewport.ts'
import { type Layout, type Range, rangeInView, rowAt, rowOf } from './justify.ts'

const overscanPx = 600
// With the focused tile at most 80 are rendered.
const maxTiles = 79

interface View {
  top: number
  bottom: number
  /** For which kind of list the tiles around the window are rendered too. */
  around?: 'grid' | 'list'
}

/**
 * Returns the tiles in view and some around them during scrolling, and loads their pages. What is in view is rendered at
 * once, what is around it when there is time.
 */
export function useInView(list: RefObject<HTMLElement | null>, layout: Layout, kind: 'grid' | 'list'): Range {
  const [view, setView] = useState<View>({ top: 0, bottom: 0 })
  const range = shownIn(layout, view, view.around === kind ? overscanPx : 0)
  const rendered = useRef(range)
  useLayoutEffect(() => void (rendered.current = range))

  useLayoutEffect(() => {
    /** Most frames of a scroll change no row and need no render. */
    let wanted: Range | undefined
    return followViewport(() => {
      if (list.current === null || layout.height === 0) return
      const { top } = list.current.getBoundingClientRect()
      const next = { top: -top, bottom: innerHeight - top }
      const seen = shownIn(layout, next)
      const around = shownIn(layout, next, overscanPx)
      showRange(around.first, around.end - 1)
      if (seen.first < rendered.current.first || seen.end > rendered.current.end) {
        setView((before) => ({ ...before, ...next }))
        wanted = undefined
      }
      if (wanted?.first === around.first && wanted.end === around.end) return
      wanted = around
      startTransition(() => setView({ ...next, around: kind }))
    })
  }, [list, layout, kind])

  return range
}

const shownIn = (layout: Layout, { top, bottom }: View, overscan = 0) =>
  rangeInView(layout, top, bottom, overscan, maxTiles)

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
