import { useMemo, type MouseEvent, type PointerEvent } from 'react'

const longPressMs = 500
const maxMovedPx = 10

/**
 * Handlers for long presses on the tiles of a list on touch screens.
 * @param onPress receives the `data-at` of the tile
 */
export function useLongPress(onPress: (at: number) => void) {
  return useMemo(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let start = { x: 0, y: 0 }

    const cancel = () => clearTimeout(timer)
    return {
      onPointerDown(event: PointerEvent) {
        cancel()
        const at = tileOf(event.target)
        if (event.pointerType !== 'touch' || at === undefined) return
        start = { x: event.clientX, y: event.clientY }
        timer = setTimeout(() => {
          ignoreNextClick()
          onPress(at)
        }, longPressMs)
      },
      onPointerMove(event: PointerEvent) {
        if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > maxMovedPx) cancel()
      },
      onPointerUp: cancel,
      onPointerCancel: cancel,
      // The browser's context menu would cover the result of the press.
      onContextMenu(event: MouseEvent) {
        if ((event.nativeEvent as { pointerType?: string }).pointerType === 'touch') event.preventDefault()
      },
    }
  }, [onPress])
}

/** The click follows the end of the press at once, if at all. */
const clickWaitMs = 300

/** Ignores the click at the end of a long press. It can hit a bar that the press has opened over the tile. */
function ignoreNextClick(): void {
  const ended = new AbortController()
  const options = { capture: true, signal: ended.signal }
  const ignore = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    ended.abort()
  }
  addEventListener('click', ignore, options)
  for (const type of ['pointerup', 'pointercancel'])
    addEventListener(type, () => setTimeout(() => ended.abort(), clickWaitMs), options)
}

export function tileOf(target: EventTarget): number | undefined {
  const at = (target as Element).closest<HTMLElement>('[data-at]')?.dataset.at
  return at === undefined ? undefined : Number(at)
}
