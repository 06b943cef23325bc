// Where in the gallery a dragged image would land, by the boxes of the tiles on screen. Pure.

/** Of a tile, in the window. */
export interface Box {
  at: number
  left: number
  right: number
  top: number
  bottom: number
}

export interface DropPlace {
  /** The slot in front of which it lands. */
  slot: number
  /** The mark that shows it, in the window. */
  left: number
  top: number
  width: number
  height: number
}

const gapPx = 8
const markPx = 4

/** @param boxes in the order of the list */
export function dropPlace(boxes: readonly Box[], x: number, y: number, view: 'grid' | 'list'): DropPlace | undefined {
  const last = boxes.at(-1)
  if (last === undefined) return undefined
  if (view === 'list') {
    const next = boxes.find(({ top, bottom }) => y < (top + bottom) / 2)
    const { left, right } = last
    const top = (next?.top ?? last.bottom) - markPx / 2
    return { slot: next?.at ?? last.at + 1, left, top, width: right - left, height: markPx }
  }
  const row = rowUnder(boxes, y)
  const next = row.find(({ left, right }) => x < (left + right) / 2)
  const end = row.at(-1) ?? last
  const middle = next === undefined ? end.right + gapPx / 2 : next.left - gapPx / 2
  const { top, bottom } = next ?? end
  return { slot: next?.at ?? end.at + 1, left: middle - markPx / 2, top, width: markPx, height: bottom - top }
}

/** The nearest row of tiles. */
function rowUnder(boxes: readonly Box[], y: number): readonly Box[] {
  const next = boxes.find(({ bottom }) => y < bottom + gapPx / 2) ?? boxes.at(-1)
  return boxes.filter(({ top }) => top === next?.top)
}

const steps: Readonly<Record<string, 'before' | 'after' | 'above' | 'below' | 'start' | 'end'>> = {
  ArrowLeft: 'before',
  ArrowRight: 'after',
  ArrowUp: 'above',
  ArrowDown: 'below',
  Home: 'start',
  End: 'end',
}

/**
 * By how many slots a key moves an image.
 * @param count of the list
 * @returns undefined for another key, and above the first row and below the last
 */
export function slotsOf(boxes: readonly Box[], at: number, key: string, count: number): number | undefined {
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined
  if (step === undefined) return undefined
  if (step === 'before' || step === 'after') return step === 'after' ? 1 : -1
  if (step === 'start' || step === 'end') return step === 'end' ? count : -count
  const own = boxes.find((box) => box.at === at)
  if (own === undefined) return undefined
  const isBelow = step === 'below'
  const others = boxes.filter(({ top }) => (isBelow ? top > own.top : top < own.top))
  const rowTop = (isBelow ? others[0] : others.at(-1))?.top
  const middle = ({ left, right }: Box) => (left + right) / 2
  const [nearest] = others
    .filter(({ top }) => top === rowTop)
    .toSorted((one, other) => Math.abs(middle(one) - middle(own)) - Math.abs(middle(other) - middle(own)))
  return nearest && nearest.at - at
}
