// A link within the page. A link to the current address adds no history entry.
import type { AnchorHTMLAttributes } from 'react'
import { Link as RouterLink, useLocation } from 'wouter'

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { to: string }

export function Link({ to, ...rest }: Props) {
  const [path] = useLocation()
  const isHere = path === to
  return <RouterLink {...rest} to={to} replace={isHere} aria-current={isHere ? 'page' : rest['aria-current']} />
}
