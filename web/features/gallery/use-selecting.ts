import { useLayoutEffect, useMemo, useRef } from 'react'
import type { Image } from '../../../contract/images.ts'

type Ids = ReadonlySet<string>
type Items = readonly (Image | undefined)[]

export interface Selecting {
  /** @param isRange everything from the one that was chosen last to this one */
  toggle: (at: number, isRange?: boolean) => void
  /** Everything between where the stretch began and `to`, in place of what it held before. */
  stretch: (from: number, to: number) => void
  /** The next stretch begins anew. */
  rest: () => void
}

/** Choosing images one by one and by ranges. What has not been read yet has no id and is left out. */
export function useSelecting(items: Items, selection: Ids, onSelect: (ids: Ids) => void): Selecting {
  const latest = useRef({ items, selection, onSelect })
  useLayoutEffect(() => {
    latest.current = { items, selection, onSelect }
  })
  return useMemo(() => {
    /** `held`: the selection as this left it; when it is another one by now, somebody else has changed it. */
    let stretched: { anchor: number; base: Ids; held: Ids } | undefined

    function hold(anchor: number, base: Ids, held: Ids): void {
      stretched = { anchor, base, held }
      latest.current.onSelect(held)
    }
    function stretch(from: number, to: number): void {
      const { items, selection } = latest.current
      const isMine = stretched?.held === selection
      const anchor = stretched?.anchor ?? from
      const base = stretched !== undefined && isMine ? stretched.base : selection
      hold(anchor, base, new Set([...base, ...idsBetween(items, anchor, to)]))
    }
    function toggle(at: number, isRange = false): void {
      const { items, selection } = latest.current
      if (isRange && stretched !== undefined) return stretch(stretched.anchor, at)
      const id = items[at]?.id
      if (id === undefined) return
      const next = new Set(selection)
      if (!next.delete(id)) next.add(id)
      hold(at, next, next)
    }
    const rest = () => void (stretched = undefined)
    return { toggle, stretch, rest }
  }, [])
}

const idsBetween = (items: Items, one: number, other: number) =>
  items.slice(Math.min(one, other), Math.max(one, other) + 1).flatMap((image) => image?.id ?? [])
