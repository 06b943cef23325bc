import { useEffect, useEffectEvent } from 'react'

/**
 * Undoes the last deletion by Ctrl+Z or Cmd+Z, while the server can restore it; also when the offer is gone from the screen.
 * @param deletedAtMs undefined: nothing is to undo
 * @param undoMs how long the server can restore it
 */
export function useUndoKey(deletedAtMs: number | undefined, undoMs: number, undo: () => Promise<void>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isUndoKey(event) || deletedAtMs === undefined || Date.now() - deletedAtMs > undoMs) return
    event.preventDefault()
    if (!event.repeat) void undo()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Not in a field, where it undoes typing. */
const isUndoKey = ({ key, ctrlKey, metaKey, shiftKey, altKey, target, defaultPrevented }: KeyboardEvent) =>
  key.toLowerCase() === 'z' &&
  (ctrlKey || metaKey) &&
  !shiftKey &&
  !altKey &&
  !defaultPrevented &&
  !(target instanceof Element && target.matches(typedInto))

/** Not the image URL of a result, which is focused and cannot be typed into. */
const typedInto = 'input:not([type=checkbox], [type=range], [readonly]), textarea, select'
