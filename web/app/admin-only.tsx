import { useState, type ReactNode } from 'react'
import { useSession } from '../data/session.ts'
import { common } from '../notify/messages.ts'
import { Loading } from '../ui/loading.tsx'
import { Protected } from './protected.tsx'

/**
 * What is inside is for admins. For everybody else it does not exist: they are not sent to a login that would not help. Only
 * an admin whose session ends here is.
 */
export function AdminOnly({ children, otherwise }: { children: ReactNode; otherwise: ReactNode }) {
  const session = useSession()
  const isAdmin = session.status === 'in' && session.user.role === 'admin'
  const [wasAdmin, setWasAdmin] = useState(isAdmin)
  if (isAdmin && !wasAdmin) setWasAdmin(true)
  if (session.status === 'loading') return <Loading text={common.loading} />
  const isLeaving = wasAdmin && session.status === 'out'
  return isAdmin || isLeaving ? <Protected>{children}</Protected> : otherwise
}
