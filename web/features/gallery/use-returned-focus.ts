import { useEffect, useRef } from 'react'

/**
 * After the lightbox has closed, focuses the tile of the image that it showed last.
 * @param viewed place of the image in the lightbox, undefined while there is none
 */
export function useReturnedFocus(viewed: number | undefined, focusTile: (at: number) => void): void {
  const last = useRef<number>(undefined)
  useEffect(() => {
    const closed = viewed === undefined ? last.current : undefined
    last.current = viewed
    if (closed === undefined) return
    // The dialog, which closes after this, gives the focus back to the tile that was opened.
    const frame = requestAnimationFrame(() => focusTile(closed))
    return () => cancelAnimationFrame(frame)
  }, [viewed, focusTile])
}
