import { useDeferredValue, useEffect, useRef, type RefObject } from 'react'
import { useLocation } from 'wouter'
import { useIsBack } from '../model/history.ts'

/**
 * The path whose page is rendered. Forward navigation shows the previous page until the script of the next one is loaded.
 * Back and Forward change at once, since the browser restores the scroll position right after the event.
 */
export function useShownPath(): string {
  const [path] = useLocation()
  const deferredPath = useDeferredValue(path)
  return useIsBack() ? path : deferredPath
}

/** What a browser does for a full page load: moves the focus to the content and announces the title. */
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
    // Some pages focus their first field.
    if (main.current?.contains(document.activeElement) !== true) main.current?.focus({ preventScroll: true })
    if (!isBack) scrollTo(0, 0)
    // A lazily loaded page sets its title after this render.
    const timer = setTimeout(() => announcement.current?.replaceChildren(document.title), announceAfterMs)
    return () => clearTimeout(timer)
  }, [shownPath, isBack, main, announcement])
}

const announceAfterMs = 300
