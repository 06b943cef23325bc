import { useLayoutEffect, useMemo, useRef } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'

type Ids = ReadonlySet<string>
type Items = readonly (Image | undefined)[]

export interface Selecting {
  /** @param isRange selects everything from the last selected image to this one */
  toggle: (at: number, isRange?: boolean) => void
  /** Selects everything between the start of the range and `to`, replacing the earlier range. */
  extendRange: (from: number, to: number) => void
  /** The next range has a new start. */
  endRange: () => void
}

/** Selects images one by one and by ranges, without those that are not loaded. */
export function useSelecting(items: Items, selection: Ids, onSelect: (ids: Ids) => void): Selecting {
  const latest = useRef({ items, selection, onSelect })
  useLayoutEffect(() => {
    latest.current = { items, selection, onSelect }
  })
  return useMemo(() => {
    /** A selection other than `result` was changed elsewhere. */
    let range: { anchor: number; base: Ids; result: Ids } | undefined

    function select(anchor: number, base: Ids, result: Ids): void {
      range = { anchor, base, result }
      latest.current.onSelect(result)
    }
    function extendRange(from: number, to: number): void {
      const { items, selection } = latest.current
      const isUnchanged = range?.result === selection
      const anchor = range?.anchor ?? from
      const base = range !== undefined && isUnchanged ? range.base : selection
      select(anchor, base, new Set([...base, ...idsBetween(items, anchor, to)]))
    }
    function toggle(at: number, isRange = false): void {
      const { items, selection } = latest.current
      if (isRange && range !== undefined) return extendRange(range.anchor, at)
      const id = items[at]?.id
      if (id === undefined) return
      const next = new Set(selection)
      if (!next.delete(id)) next.add(id)
      select(at, next, next)
    }
    const endRange = () => void (range = undefined)
    return { toggle, extendRange, endRange }
  }, [])
}

const idsBetween = (items: Items, one: number, other: number) =>
  items.slice(Math.min(one, other), Math.max(one, other) + 1).flatMap((image) => image?.id ?? [])
