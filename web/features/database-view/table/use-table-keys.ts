import { useLayoutEffect, useState, type KeyboardEvent, type MouseEvent, type RefObject } from 'react'
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import { areShortcutsOn } from '../../../model/shortcut-prefs.ts'
import type { DocumentSelectionState } from './use-document-selection.ts'

interface Options {
  table: RefObject<HTMLTableElement | null>
  rows: readonly Document[]
  selecting: DocumentSelectionState
  onOpen: (id: string) => void
  onEdit: (id: string) => void
}

/** Keyboard and mouse handling of the rows, which are one tab stop (roving tabindex). */
export function useTableKeys({ table, rows, selecting, onOpen, onEdit }: Options) {
  const [active, setActive] = useState(0)
  const stop = Math.min(active, rows.length - 1)
  // The row that had the focus before this render.
  const focused = table.current?.contains(document.activeElement) === true ? rowAt(document.activeElement) : undefined

  const focusRow = (at: number) => {
    const row = table.current?.querySelector<HTMLElement>(`tr[data-at="${at}"]`)
    row?.focus({ preventScroll: true })
    // Scrolls vertically only, so that the id column stays visible.
    row?.querySelector('th')?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
  }

  // The focused row is not on this page: the nearest row takes the focus.
  useLayoutEffect(() => {
    if (focused !== undefined && document.activeElement === document.body) focusRow(Math.min(focused, rows.length - 1))
  })

  function onKeyDown(event: KeyboardEvent): void {
    const at = rowAt(event.target)
    if (at === undefined || event.nativeEvent.isComposing || event.altKey) return
    if (press(event, at, event.target instanceof HTMLTableRowElement)) event.preventDefault()
  }

  /** @returns whether the key was handled. On a control inside a row, Space and Enter belong to the browser. */
  function press({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent, at: number, isOnRow: boolean): boolean {
    if (ctrlKey || metaKey) return key.toLowerCase() === 'a' && selectAll()
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 }[key]
    if (to !== undefined) return move(at, Math.min(Math.max(to, 0), rows.length - 1), shiftKey)
    if (key === ' ' && isOnRow) selecting.toggle(at)
    else if (key === 'Enter' && isOnRow) withId(at, onOpen)
    else if (key.toLowerCase() === 'e' && areShortcutsOn()) withId(at, onEdit)
    else return false
    return true
  }

  function selectAll(): boolean {
    selecting.rest()
    selecting.stretch(0, rows.length - 1)
    return true
  }

  function move(from: number, to: number, isStretching: boolean): boolean {
    if (isStretching) selecting.stretch(from, to)
    else selecting.rest()
    focusRow(to)
    return true
  }

  function onClick(event: MouseEvent): void {
    const at = rowAt(event.target)
    if (at === undefined || !(event.target instanceof Element)) return
    const isOnBox = event.target.closest('.dt-check-cell') !== null
    // A click on the label of the checkbox arrives again as a click on the checkbox.
    if (isOnBox && !(event.target instanceof HTMLInputElement)) return
    if (event.shiftKey) selecting.stretch(stop, at)
    else if (isOnBox) selecting.toggle(at)
    else if (event.target.closest('button') !== null) withId(at, onEdit)
    else if (getSelection()?.isCollapsed !== false) withId(at, onOpen)
    setActive(at)
  }

  const withId = (at: number, act: (id: string) => void) => {
    const row = rows[at]
    if (row !== undefined) act(row._id)
  }

  return {
    stop,
    focusRow,
    handlers: {
      onKeyDown,
      onClick,
      // Shift would select text from the last click; and the focused row is where the range starts.
      onMouseDown: (event: MouseEvent) => event.shiftKey && event.preventDefault(),
      onFocus(event: { target: EventTarget }) {
        const at = rowAt(event.target)
        if (at !== undefined) setActive(at)
      },
    },
  }
}

function rowAt(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-at]') : null
  return row === null ? undefined : Number(row.dataset.at)
}
