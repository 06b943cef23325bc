import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { Gallery } from '../../data/gallery.ts'

/**
 * Keeps the keyboard where it was as the list changes: on the same image while it is there, on the next one when it was
 * deleted, wherever the deletion was asked for.
 */
export function useKeptFocus(
  list: RefObject<HTMLElement | null>,
  { items, query }: Gallery,
  {
    active,
    setActive,
    focusTile,
  }: { active: number; setActive: (at: number) => void; focusTile: (at: number) => void },
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

  // What had the focus was drawn anew: its page has been read.
  useLayoutEffect(() => {
    if (hasFocus && isNothingFocused() && list.current?.querySelector(`[data-at="${active}"]`)) focusTile(active)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- asked when images were read, not when the focus moves
  }, [items])

  return { hasFocus, onFocus: () => setHasFocus(true), onBlur: () => setHasFocus(false) }
}

/** Where the image at `from` is now, or else the next of those after it; the last one when none is left. */
export function nextAfter<T extends object>(
  before: readonly (T | undefined)[],
  after: readonly (T | undefined)[],
  from: number,
): number {
  const left = new Map(after.map((item, at) => [item, at]))
  const next = before.slice(from).find((item) => item !== undefined && left.has(item))
  return (next && left.get(next)) ?? Math.max(0, Math.min(from, after.length - 1))
}

const isNothingFocused = () => document.activeElement === null || document.activeElement === document.body

/** Now, or as soon as the dialog has closed in which it was asked. */
export function whenNothingHasFocus(act: () => void): void {
  const dialog = document.activeElement?.closest('dialog') ?? null
  const check = () => isNothingFocused() && act()
  if (dialog === null) check()
  else dialog.addEventListener('close', () => requestAnimationFrame(check), { once: true })
}
