// A link within the page. react-router's own brings the prefetching of its framework mode along (3 kB gz).
import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { useHref, useLocation, useNavigate } from 'react-router'

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string }

export function Link({ to, children, ...rest }: Props) {
  const href = useHref(to)
  const navigate = useNavigate()
  const { pathname } = useLocation()

  function go(event: MouseEvent): void {
    if (isForTheBrowser(event)) return
    event.preventDefault()
    void navigate(to, { replace: pathname === to })
  }

  return (
    <a {...rest} href={href} onClick={go} aria-current={pathname === to ? 'page' : undefined}>
      {children}
    </a>
  )
}

/** A new tab, a new window, a download: not ours to handle. */
const isForTheBrowser = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey
