import { useCallback, useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Action } from '../../ui/action.ts'
import { type Layout, rowOf } from './justify.ts'
import { moveTo } from './arrow-key-moves.ts'
import { tileOf } from './use-long-press.ts'
import type { Selecting } from './use-selecting.ts'

interface Options {
  list: RefObject<HTMLElement | null>
  layout: Layout
  items: readonly (Image | undefined)[]
  selecting: Selecting
  actions: readonly Action<Image>[]
  isReadOnly: boolean
  shortcutsOn: boolean
  onMoved: (at: number) => void
  onSelectAll: () => void
  onSelectNone: () => void
  onToggleView: (() => void) | undefined
  ofSelected: SelectedActions
}

/** By key. */
export type SelectedActions = Readonly<Partial<Record<string, () => void>>>

/** The keys of the gallery while the focus is in it. */
export function useGalleryKeys({ list, layout, items, selecting, ...options }: Options) {
  const focusTile = useFocusTile(list, layout)

  function onKeyDown(event: KeyboardEvent): void {
    const at = tileOf(event.target)
    if (event.defaultPrevented || event.altKey || event.nativeEvent.isComposing || at === undefined) return
    if (press(event, at)) event.preventDefault()
  }

  /** Returns whether the key was handled. */
  function press(event: KeyboardEvent, at: number): boolean {
    if (event.ctrlKey || event.metaKey) return pressWithControl(event.key)
    const to = moveTo(layout, at, event.key, innerHeight * pageShare)
    if (to !== undefined) return move(at, to, event.shiftKey)
    const isOnTile = (event.target as Element).matches('.slot-link')
    if (event.key === ' ' && isOnTile) return toggle(at)
    if (event.key === 'Escape') return clear()
    return pressShortcut(event.key.toLowerCase(), at)
  }

  function pressWithControl(key: string): boolean {
    if (key.toLowerCase() !== 'a' || options.isReadOnly) return false
    options.onSelectAll()
    return true
  }

  function move(from: number, to: number, isRange: boolean): boolean {
    if (isRange && !options.isReadOnly) selecting.extendRange(from, to)
    else selecting.endRange()
    options.onMoved(to)
    focusTile(to)
    return true
  }

  function toggle(at: number): boolean {
    if (!options.isReadOnly) selecting.toggle(at)
    return true
  }

  function clear(): boolean {
    options.onSelectNone()
    return false
  }

  /** Speech input may trigger single letters, so the user can switch them off (WCAG 2.1.4). */
  function pressShortcut(key: string, at: number): boolean {
    if (key.length === 1 && !options.shortcutsOn) return false
    if (key === 'v' && options.onToggleView !== undefined) {
      options.onToggleView()
      return true
    }
    if (key === 'x') return toggle(at)
    if (options.isReadOnly) return false
    const ofSelected = options.ofSelected[key]
    if (ofSelected !== undefined) {
      ofSelected()
      return true
    }
    const image = items[at]
    const action = options.actions.find(({ shortcut }) => shortcut === key)
    if (image === undefined || action === undefined) return false
    if (action.isFor?.(image) === false || action.isDisabled?.(image) === true) return false
    void action.run(image)
    return true
  }

  return { onKeyDown, focusTile }
}

/** A page is this share of the window, so that a part of the page before stays in view. */
const pageShare = 0.85

/** Focuses a tile and scrolls it into view, as soon as it is rendered. */
function useFocusTile(list: RefObject<HTMLElement | null>, layout: Layout) {
  const waiting = useRef<number>(undefined)
  const focusNow = useCallback(() => {
    const link = list.current?.querySelector<HTMLElement>(`[data-at="${waiting.current}"] > .slot-link`) ?? null
    if (waiting.current === undefined || link === null) return
    waiting.current = undefined
    link.focus({ preventScroll: true })
    link.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }, [list])
  const latest = useRef(layout)
  useLayoutEffect(() => {
    latest.current = layout
    focusNow()
  })
  return useCallback(
    (at: number) => {
      waiting.current = at
      focusNow()
      // Only tiles in view are rendered.
      if (waiting.current !== undefined && list.current !== null) scrollToRow(list.current, latest.current, at)
    },
    [focusNow, list],
  )
}

/** Scrolls a tile to the middle of the window. */
function scrollToRow(list: HTMLElement, layout: Layout, at: number): void {
  const top = list.getBoundingClientRect().top + (layout.rowTop[rowOf(layout, at)] ?? 0)
  scrollBy({ top: top - innerHeight / 2, behavior: 'instant' })
}
