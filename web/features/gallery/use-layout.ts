import { useLayoutEffect, useMemo, useState, type RefObject } from 'react'
import { useMedia } from '../../ui/use-media.ts'
import { justify, type Layout, rowHeightFor, stack } from './justify.ts'

const [listRowPx, phoneRowPx] = [72, 88]
/** Of the root, where nobody asks for larger text. */
const usualFontPx = 16

/**
 * Lays out the tiles in the width of the list.
 * @param rowHeight of the grid, instead of the one suggested for the window
 */
export function useLayout(
  list: RefObject<HTMLElement | null>,
  ratios: readonly number[],
  view: 'grid' | 'list',
  rowHeight?: number,
): Layout {
  const { width, windowWidth, windowHeight, textScale } = useSizes(list)
  const isPhone = useMedia('(max-width: 719.98px)')
  const target = useMemo(
    () => rowHeightFor(windowWidth, windowHeight, ratios, rowHeight),
    [windowWidth, windowHeight, ratios, rowHeight],
  )
  return useMemo(() => {
    // Not measured yet; that happens before the first paint.
    if (width === 0) return stack(0, 0, 0)
    return view === 'grid'
      ? justify(ratios, width, target)
      : stack(ratios.length, width, (isPhone ? phoneRowPx : listRowPx) * textScale)
  }, [ratios, width, view, target, isPhone, textScale])
}

function useSizes(list: RefObject<HTMLElement | null>) {
  const [sizes, setSizes] = useState({ width: 0, windowWidth: 0, windowHeight: 0, textScale: 1 })
  useLayoutEffect(() => {
    const measure = () =>
      setSizes((before) => {
        const next = {
          width: list.current?.clientWidth ?? 0,
          windowWidth: innerWidth,
          windowHeight: innerHeight,
          textScale: parseFloat(getComputedStyle(document.documentElement).fontSize) / usualFontPx,
        }
        const isSame = (Object.keys(next) as (keyof typeof next)[]).every((key) => before[key] === next[key])
        return isSame ? before : next
      })
    measure()
    const resizes = new ResizeObserver(measure)
    if (list.current !== null) resizes.observe(list.current)
    addEventListener('resize', measure)
    return () => {
      resizes.disconnect()
      removeEventListener('resize', measure)
    }
  }, [list])
  return sizes
}
