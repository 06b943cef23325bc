import { useEffect, type RefObject } from 'react'

/** Keeps as much room below the page as the element takes, so that it never covers the last of it. */
export function useRoomBelow(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--tray-room', `${current.offsetHeight + 24}px`))
    observer.observe(current)
    return () => {
      observer.disconnect()
      style.removeProperty('--tray-room')
    }
  }, [element])
}
