import { useLayoutEffect, useState, type RefObject } from 'react'
import { followViewport } from '../../../ui/follow-viewport.ts'
import { windowOf, type ImageWindow } from './image-window.ts'

const nothing: ImageWindow = { columns: 1, columnPx: 0, rowPx: 0, gapPx: 0, first: 0, end: 0 }

/** Returns the tiles in view while the page is scrolled and resized. Most frames of a scroll change nothing. */
export function useImageWindow(list: RefObject<HTMLElement | null>, count: number): ImageWindow {
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

const isSame = (one: ImageWindow, other: ImageWindow) =>
  (Object.keys(one) as (keyof ImageWindow)[]).every((key) => one[key] === other[key])
