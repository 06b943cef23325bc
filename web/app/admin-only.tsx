import type { ReactNode } from 'react'
import { useSession } from '../data/session.ts'
import { common } from '../notify/messages.ts'
import { Loading } from '../ui/loading.tsx'

/** What is inside is for admins. For everybody else it does not exist: they are not sent to a login that would not help. */
export function AdminOnly({ children, otherwise }: { children: ReactNode; otherwise: ReactNode }) {
  const session = useSession()
  if (session.status === 'loading') return <Loading text={common.loading} />
  return session.status === 'in' && session.user.role === 'admin' ? children : otherwise
}
