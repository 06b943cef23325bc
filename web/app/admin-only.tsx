import { useState, type ReactNode } from 'react'
import { useIsAdmin, useSession } from '../data/session.ts'
import { common } from '../texts/messages.ts'
import { Loading } from '../ui/loading.tsx'
import { Protected } from './protected.tsx'

/**
 * Renders its children for admins only. Others see the page for unknown addresses, since a login would not help them.
 * An admin whose session ends here is sent to the login.
 */
export function AdminOnly({ children, otherwise }: { children: ReactNode; otherwise: ReactNode }) {
  const { status } = useSession()
  const isAdmin = useIsAdmin()
  const [wasAdmin, setWasAdmin] = useState(isAdmin)
  if (isAdmin && !wasAdmin) setWasAdmin(true)
  if (status === 'loading') return <Loading text={common.loading} />
  const isLeaving = wasAdmin && status === 'out'
  return isAdmin || isLeaving ? <Protected>{children}</Protected> : otherwise
}
