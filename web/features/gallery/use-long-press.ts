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
    /** True from the end of the long press to the click event that follows it. */
    let isDone = false

    const cancel = () => clearTimeout(timer)
    return {
      onPointerDown(event: PointerEvent) {
        cancel()
        isDone = false
        const at = tileOf(event.target)
        if (event.pointerType !== 'touch' || at === undefined) return
        start = { x: event.clientX, y: event.clientY }
        timer = setTimeout(() => {
          isDone = true
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
      onClickCapture(event: MouseEvent) {
        if (!isDone) return
        isDone = false
        event.preventDefault()
        event.stopPropagation()
      },
    }
  }, [onPress])
}

export function tileOf(target: EventTarget): number | undefined {
  const at = (target as Element).closest<HTMLElement>('[data-at]')?.dataset.at
  return at === undefined ? undefined : Number(at)
}
