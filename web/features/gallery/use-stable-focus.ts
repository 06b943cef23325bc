import { startTransition, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { Gallery } from '../../model/images/gallery.ts'

/** Preserves the focus on the same image, in the grid and in the list, or moves it to the next one after a deletion. */
export function useStableFocus(
  list: RefObject<HTMLElement | null>,
  { items, query }: Gallery,
  {
    view,
    active,
    setActive,
    focusTile,
  }: { view: string; active: number; setActive: (at: number) => void; focusTile: (at: number) => void },
): { hasFocus: boolean; onFocus: () => void; onBlur: () => void } {
  const [hasFocus, setHasFocus] = useState(false)
  const before = useRef({ items, query })

  useLayoutEffect(() => {
    const { items: oldItems, query: oldQuery } = before.current
    before.current = { items, query }
    if (oldItems.length === items.length || oldQuery !== query) return
    const next = nextAfter(oldItems, items, active)
    setActive(next)
    if (items.length < oldItems.length) whenNothingHasFocus(() => focusTile(next))
  }, [items, query, active, setActive, focusTile])

  // The focused placeholder was replaced by its image, or the focused tile by a row.
  useLayoutEffect(() => {
    if (hasFocus && isNothingFocused() && list.current?.querySelector(`[data-at="${active}"]`)) focusTile(active)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs when images were loaded or shown otherwise, not when the focus moves
  }, [items, view])

  // The focus is painted before the tiles are rendered again.
  const keep = (is: boolean) => startTransition(() => setHasFocus(is))
  return { hasFocus, onFocus: () => keep(true), onBlur: () => keep(false) }
}

/** The new place of the image at `from` or the next remaining one; else the nearest place. */
export function nextAfter<T extends object>(
  before: readonly (T | undefined)[],
  after: readonly (T | undefined)[],
  from: number,
): number {
  const newIndexOf = new Map(after.map((item, at) => [item, at]))
  const next = before.slice(from).find((item) => item !== undefined && newIndexOf.has(item))
  return (next && newIndexOf.get(next)) ?? Math.max(0, Math.min(from, after.length - 1))
}

const isNothingFocused = () => document.activeElement === null || document.activeElement === document.body

/** Runs `act` when nothing has the focus: at once, or after the focused dialog has closed. */
export function whenNothingHasFocus(act: () => void): void {
  const dialog = document.activeElement?.closest('dialog') ?? null
  const check = () => isNothingFocused() && act()
  if (dialog === null) check()
  else dialog.addEventListener('close', () => requestAnimationFrame(check), { once: true })
}
