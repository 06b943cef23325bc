import { clsx } from 'clsx'
import { useLocation } from 'wouter'
import { logout } from '../model/session.ts'
import { header } from '../texts/messages.ts'
import { paths } from '../paths.ts'

export function LogoutButton({ className }: { className?: string }) {
  const leave = useLogout()
  return (
    <button type="button" className={clsx('btn btn-quiet h-9 px-3 text-dense', className)} onClick={leave}>
      {header.logout}
    </button>
  )
}

/** Ends the session and navigates to the login without a `next` address. */
export function useLogout(): () => Promise<void> {
  const [, navigate] = useLocation()
  return async () => {
    await logout()
    navigate(paths.login, { replace: true })
  }
}
