import { useLayoutEffect, useState, type RefObject } from 'react'
import { showRange } from '../../data/gallery.ts'
import { type Layout, type Range, rangeInView, rowAt, rowOf } from './justify.ts'

const overscanPx = 600
const maxTiles = 79 // One more is kept for the keyboard.

/** The tiles that are in view as the page is scrolled, and some beside them. Their pages are asked for. */
export function useInView(list: RefObject<HTMLElement | null>, layout: Layout): Range {
  const [view, setView] = useState({ top: 0, bottom: 0 })

  useLayoutEffect(() => {
    let frame = 0
    function look(): void {
      frame = 0
      if (list.current === null || layout.height === 0) return
      const { top } = list.current.getBoundingClientRect()
      const next = { top: -top, bottom: innerHeight - top }
      const { first, end } = shownIn(layout, next)
      showRange(first, end - 1)
      // Most of the frames while one scrolls change no row, and then nothing is drawn.
      setView((before) => {
        const shown = shownIn(layout, before)
        return shown.first === first && shown.end === end ? before : next
      })
    }
    const lookSoon = () => (frame ||= requestAnimationFrame(look))
    look()
    addEventListener('scroll', lookSoon, { passive: true })
    addEventListener('resize', lookSoon)
    // What opens and closes above moves the list without a scroll.
    const resizes = new ResizeObserver(lookSoon)
    resizes.observe(document.body)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', lookSoon)
      removeEventListener('resize', lookSoon)
      resizes.disconnect()
    }
  }, [list, layout])

  return shownIn(layout, view)
}

const shownIn = (layout: Layout, { top, bottom }: { top: number; bottom: number }) =>
  rangeInView(layout, top, bottom, overscanPx, maxTiles)

/** When a list of as many tiles is laid out anew (another width, grid to list), the tile at the top of the window stays. */
export function useKeptPlace(list: RefObject<HTMLElement | null>, layout: Layout): void {
  const [kept] = useState<{ layout?: Layout }>({})
  useLayoutEffect(() => {
    const before = kept.layout
    kept.layout = layout
    const element = list.current
    const isSameList = before !== undefined && before !== layout && before.left.length === layout.left.length
    if (element === null || !isSameList) return
    const scrolled = scrollPaddingTop() - element.getBoundingClientRect().top
    if (scrolled <= 0) return
    const tile = before.rowFirst[rowAt(before.rowTop, scrolled)] ?? 0
    scrollBy({ top: topOf(layout, tile) - topOf(before, tile), behavior: 'instant' })
  }, [list, layout, kept])
}

const topOf = (layout: Layout, tile: number) => layout.rowTop[rowOf(layout, tile)] ?? 0

/** What the sticky header hides. */
const scrollPaddingTop = () => Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0
