import { useCallback } from 'react'

/** Keeps as much room below the page as the element takes, so that it never covers the last of it. */
export function useRoomBelow(): (element: HTMLElement | null) => (() => void) | undefined {
  return useCallback((element) => {
    if (element === null) return undefined
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--tray-room', `${element.offsetHeight + 24}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--tray-room')
    }
  }, [])
}
