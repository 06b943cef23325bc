import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useDocumentKeys } from '../use-document-keys.ts'

/** What was changed, and how to undo it. */
export interface UndoableChange {
  text: string
  /** Of the only thing that was changed. */
  name?: string | undefined
  /** A way to what was changed. */
  link?: { to: string; label: string }
  /** Says how it went, and does not throw. @returns what can be tried again */
  undo: () => Promise<UndoableChange | undefined>
}

/** Offers to undo a change. */
export type AddChange = (change: UndoableChange) => void

interface Done extends UndoableChange {
  /** Of the bar: each has its own time. */
  key: number
  doneAtMs: number
  /** The offer is gone from the screen; the key still undoes. */
  isHidden?: boolean
}

let keys = 0

/**
 * Remembers changes, to undo the last one, then the one before it.
 * @param undoMs how long the server can undo a change
 * @param onNothing for the key without a change. Default: it does nothing
 */
export function useUndo(undoMs: number, onNothing?: () => void) {
  const [changes, setChanges] = useState<readonly Done[]>([])
  const isUndoing = useRef(false)
  /** How often the key was pressed while a change was being undone: each press undoes one more after it. */
  const pressed = useRef(0)
  const last = changes.at(-1)

  async function undo(): Promise<void> {
    if (last === undefined || isUndoing.current) return
    isUndoing.current = true
    const left = await last.undo()
    isUndoing.current = false
    // What failed waits until it is asked for again.
    if (left !== undefined) pressed.current = 0
    setChanges((now) => {
      // A change made meanwhile keeps its bar.
      const at = now.findIndex(({ key }) => key === last.key)
      const again = left === undefined ? [] : [{ ...last, ...left, key: ++keys }]
      return [...now.slice(0, at).map(hidden), ...again, ...now.slice(at + 1)]
    })
  }

  const undoPressed = useEffectEvent(() => {
    if (pressed.current === 0 || isUndoing.current) return
    const canUndo = last !== undefined && Date.now() - last.doneAtMs <= undoMs
    pressed.current = canUndo ? pressed.current - 1 : 0
    if (canUndo) void undo()
  })
  useEffect(() => undoPressed(), [changes])

  async function undoByKey(): Promise<void> {
    if (isUndoing.current) pressed.current++
    else await undo()
  }

  useUndoKey(last?.doneAtMs, undoMs, undoByKey, onNothing)

  return {
    undoable: last?.isHidden === true ? undefined : last,
    add: useCallback(
      (change: UndoableChange) => setChanges((before) => [...before, { ...change, key: ++keys, doneAtMs: Date.now() }]),
      [],
    ),
    undo,
    hide: () => setChanges((now) => now.map(hidden)),
  }
}

const hidden = (change: Done): Done => ({ ...change, isHidden: true })

/** Ctrl+Z or Cmd+Z, while the server can undo the last change; also when the offer is gone from the screen. */
function useUndoKey(
  doneAtMs: number | undefined,
  undoMs: number,
  undo: () => Promise<void>,
  onNothing: (() => void) | undefined,
): void {
  useDocumentKeys((event) => {
    if (!isUndoKey(event)) return
    const canUndo = doneAtMs !== undefined && Date.now() - doneAtMs <= undoMs
    if (canUndo) event.preventDefault()
    if (event.repeat) return
    if (canUndo) void undo()
    else onNothing?.()
  })
}

/** Not in a field, where it undoes typing. */
const isUndoKey = ({ key, ctrlKey, metaKey, shiftKey, altKey, target, defaultPrevented }: KeyboardEvent) =>
  key.toLowerCase() === 'z' &&
  (ctrlKey || metaKey) &&
  !shiftKey &&
  !altKey &&
  !defaultPrevented &&
  !(target instanceof Element && target.matches(typedInto) && target.checkVisibility())

/** Not the image URL of a result, which is focused and cannot be typed into. */
const typedInto = 'input:not([type=checkbox], [type=range], [readonly]), textarea, select'
