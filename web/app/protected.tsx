import type { ReactNode } from 'react'
import { Redirect } from 'wouter'
import { useSession } from '../data/session.ts'
import { common } from '../texts/messages.ts'
import { loginFor, paths } from '../paths.ts'
import { Loading } from '../ui/loading.tsx'

/** What is inside is for whoever is signed in; everyone else is sent to the login page and back afterwards. */
export function Protected({ children }: { children: ReactNode }) {
  const { status } = useSession()
  // Whoever has just logged out is on the way to the login page already, and is not to come back here.
  if (status === 'loading' || (status === 'out' && location.pathname === paths.login))
    return <Loading text={common.loading} />
  // The router's own hooks answer the address decoded, which `next` must not be.
  if (status === 'out') return <Redirect to={loginFor(location.pathname + location.search + location.hash)} replace />
  return children
}
