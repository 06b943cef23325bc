import { useLayoutEffect, useState, type RefObject } from 'react'
import { windowOf, type ImageWindow } from './image-window.ts'

const nothing: ImageWindow = { columns: 1, columnPx: 0, rowPx: 0, gapPx: 0, first: 0, end: 0 }

/** Returns the tiles in view while the page is scrolled and resized. Most frames of a scroll change nothing. */
export function useImageWindow(list: RefObject<HTMLElement | null>, count: number): ImageWindow {
  const [shown, setShown] = useState(nothing)
  useLayoutEffect(() => {
    let frame = 0
    function update(): void {
      frame = 0
      if (list.current === null) return
      const next = windowOf({
        widthPx: list.current.clientWidth,
        scrolledPx: -list.current.getBoundingClientRect().top,
        windowPx: innerHeight,
        remPx: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
        count,
      })
      setShown((before) => (isSame(before, next) ? before : next))
    }
    const updateSoon = () => (frame ||= requestAnimationFrame(update))
    update()
    addEventListener('scroll', updateSoon, { passive: true })
    addEventListener('resize', updateSoon)
    // Elements that open or close above move the grid without a scroll event.
    const resizes = new ResizeObserver(updateSoon)
    resizes.observe(document.body)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', updateSoon)
      removeEventListener('resize', updateSoon)
      resizes.disconnect()
    }
  }, [list, count])
  return shown
}

const isSame = (one: ImageWindow, other: ImageWindow) =>
  (Object.keys(one) as (keyof ImageWindow)[]).every((key) => one[key] === other[key])
