import { Navigate, Outlet, useLocation } from 'react-router'
import { useSession } from '../data/session.ts'
import { common } from '../notify/messages.ts'
import { loginFor } from '../paths.ts'
import { Loading } from '../ui/loading.tsx'

/** The routes inside are for whoever is signed in; everyone else is sent to the login page and back afterwards. */
export function Protected() {
  const { status } = useSession()
  const { pathname, search, hash } = useLocation()
  if (status === 'loading') return <Loading text={common.loading} />
  if (status === 'out') return <Navigate to={loginFor(pathname + search + hash)} replace />
  return <Outlet />
}
