import { useEffect, useRef, type RefObject } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * What a browser does by itself when it loads a page: reading starts at the top of the content, and the title is said.
 * Going back keeps the place, which the browser remembers.
 */
export function useRouteChange(main: RefObject<HTMLElement | null>, announcement: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const shown = useRef(pathname)

  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    main.current?.focus({ preventScroll: true })
    if (!isBack) scrollTo(0, 0)
    // The page sets the title when it is on screen, which for one loaded just now is a moment later.
    const timer = setTimeout(() => announcement.current?.replaceChildren(document.title), announceAfterMs)
    return () => clearTimeout(timer)
  }, [pathname, isBack, main, announcement])
}

const announceAfterMs = 300
