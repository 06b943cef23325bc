import {
  useLayoutEffect,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react'
import { readStored, writeStored } from '../../model/browser-storage.ts'
import { columnWidths, nextWidthStep, storedWidth, defaultWidth, widthWithin, type Column } from './column-width.ts'

interface Props {
  column: Column
  label: string
  /** The element whose --sidebar or --panel property holds the width. */
  around: RefObject<HTMLElement | null>
}

const stepPx = 16

/** A separator between two columns: dragged, moved by arrow keys, or pressed to step through widths. Stored in the browser. */
export function Splitter({ column, label, around }: Props) {
  const key = `database-${column}`
  const [chosen, setWidth] = useState(() => storedWidth(column, readStored(key)))
  const windowPx = useSyncExternalStore(subscribeToResize, () => innerWidth)
  const width = chosen ?? defaultWidth(column, windowPx)
  /** The pointer position and the width when the drag started. */
  const [start, setStart] = useState<{ x: number; width: number; hasMoved: boolean }>()
  useLayoutEffect(() => around.current?.style.setProperty(`--${column}`, `${width}px`), [around, column, width])

  // The panel grows to the left.
  const sign = column === 'sidebar' ? 1 : -1
  const { min, max } = columnWidths[column]

  function change(next: number): void {
    setWidth(widthWithin(column, next))
    writeStored(key, String(widthWithin(column, next)))
  }

  function onKeyDown(event: KeyboardEvent): void {
    const moves: Partial<Record<string, number>> = {
      ArrowLeft: width - sign * stepPx,
      ArrowRight: width + sign * stepPx,
      Home: min,
      End: max,
      Enter: nextWidthStep(column, width),
    }
    const next = moves[event.key]
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    change(next)
  }

  function onPointerMove({ clientX }: PointerEvent): void {
    if (start === undefined || (!start.hasMoved && Math.abs(clientX - start.x) < 3)) return
    if (!start.hasMoved) setStart({ ...start, hasMoved: true })
    setWidth(widthWithin(column, start.width + sign * (clientX - start.x)))
  }

  function onPointerUp(): void {
    if (start === undefined) return
    setStart(undefined)
    change(start.hasMoved ? width : nextWidthStep(column, width))
  }

  return (
    // A focusable separator is a widget (WAI-ARIA 1.2).
    <div
      role="separator"
      className="db-splitter"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setStart({ x: event.clientX, width, hasMoved: false })
      }}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setStart(undefined)}
    />
  )
}

function subscribeToResize(listener: () => void): () => void {
  addEventListener('resize', listener)
  return () => removeEventListener('resize', listener)
}
