import { useState, type PointerEvent, type RefObject } from 'react'
import { setColumnPrefs, type ColumnPrefs } from '../database-columns.ts'
import { widthBounds, withWidth } from './table-columns.ts'

interface Options {
  collection: string
  prefs: ColumnPrefs
  table: RefObject<HTMLTableElement | null>
  /** As displayed. */
  columns: readonly string[]
}

/** Column widths: by dragging the edge of a heading, and by steps without dragging (WCAG 2.5.7). */
export function useColumnResizing({ collection, prefs, table, columns }: Options) {
  const [dragged, setDragged] = useState<ColumnPrefs>()

  /** Measured from the headings, in CSS pixels. */
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
    /** Also during a drag. */
    widths: (dragged ?? prefs).widths,
    onPointerDown,
    /** @param steps negative: narrower */
    step(name: string, steps: number) {
      const widths = measured()
      const width = prefs.widths.get(name) ?? widths.get(name) ?? widthBounds.start
      setColumnPrefs(collection, withWidth(prefs, widths, name, width + steps * widthBounds.step))
    },
  }
}
