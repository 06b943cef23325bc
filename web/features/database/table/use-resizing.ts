import { useState, type PointerEvent, type RefObject } from 'react'
import { setColumnPrefs, type ColumnPrefs } from '../../../data/database-columns.ts'
import { widthBounds, withWidth } from './table-columns.ts'

interface Options {
  collection: string
  prefs: ColumnPrefs
  table: RefObject<HTMLTableElement | null>
  /** As they are shown. */
  columns: readonly string[]
}

/** Widths of columns: by dragging the end of a heading, and in steps for who does not drag (WCAG 2.5.7). */
export function useResizing({ collection, prefs, table, columns }: Options) {
  const [dragged, setDragged] = useState<ColumnPrefs>()

  /** By their headings, in px. */
  function measured(): Map<string, number> {
    const headings = table.current?.querySelectorAll<HTMLElement>('thead [data-column]') ?? []
    return new Map(columns.map((name, at) => [name, headings[at]?.offsetWidth ?? widthBounds.start]))
  }

  function onPointerDown(event: PointerEvent<HTMLElement>, name: string): void {
    if (event.button !== 0) return
    event.preventDefault()
    const [handle, widths, startX] = [event.currentTarget, measured(), event.clientX]
    let next = prefs
    const move = (moved: globalThis.PointerEvent) => {
      next = withWidth(prefs, widths, name, (widths.get(name) ?? widthBounds.start) + moved.clientX - startX)
      setDragged(next)
    }
    const end = () => {
      handle.removeEventListener('pointermove', move)
      setDragged(undefined)
      if (next !== prefs) setColumnPrefs(collection, next)
    }
    handle.setPointerCapture(event.pointerId)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', end, { once: true })
  }

  return {
    /** Also while a heading is being dragged. */
    widths: (dragged ?? prefs).widths,
    onPointerDown,
    /** @param steps below 0: narrower */
    step(name: string, steps: number) {
      const widths = measured()
      const width = prefs.widths.get(name) ?? widths.get(name) ?? widthBounds.start
      setColumnPrefs(collection, withWidth(prefs, widths, name, width + steps * widthBounds.step))
    },
  }
}
