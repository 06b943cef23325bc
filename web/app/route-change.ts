import { useDeferredValue, useEffect, useRef, type RefObject } from 'react'
import { useLocation } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'

/**
 * The path whose page is to be shown. Going forward, the page before stays until the script of the next has come. Going
 * back changes at once: the browser puts the page where it had been scrolled to as soon as it has told of the change.
 */
export function useShownPath(): string {
  const [path] = useLocation()
  const deferredPath = useDeferredValue(path)
  return useIsBack() ? path : deferredPath
}

/** What a browser does by itself when it loads a page: reading starts at the top of the content, and the title is said. */
export function useRouteChange(
  shownPath: string,
  main: RefObject<HTMLElement | null>,
  announcement: RefObject<HTMLElement | null>,
): void {
  const isBack = useIsBack()
  const known = useRef(shownPath)

  useEffect(() => {
    if (known.current === shownPath) return
    known.current = shownPath
    main.current?.focus({ preventScroll: true })
    if (!isBack) scrollTo(0, 0)
    // The page sets the title when it is on screen, which for one loaded just now is a moment later.
    const timer = setTimeout(() => announcement.current?.replaceChildren(document.title), announceAfterMs)
    return () => clearTimeout(timer)
  }, [shownPath, isBack, main, announcement])
}

const announceAfterMs = 300

/** Whether the address of now was reached by the browser's Back or Forward. */
const useIsBack = () =>
  useLocationProperty(
    () => isBack,
    () => false,
  )

let isBack = false

// The router tells of its own changes by events of these two names. It listens from its first render on, so this comes first.
if (typeof document !== 'undefined') {
  addEventListener('popstate', () => (isBack = true))
  addEventListener('pushState', () => (isBack = false))
  addEventListener('replaceState', () => (isBack = false))
}
