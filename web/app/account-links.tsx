import { CircleUserRound } from 'lucide-react'
import { useId } from 'react'
import { useLocation } from 'wouter'
import { logout } from '../data/session.ts'
import { header } from '../notify/messages.ts'
import { paths } from '../paths.ts'
import { Link } from '../ui/link.tsx'

/** In a row where there is room, in a menu behind one button on a phone. */
export function AccountLinks({ email }: { email: string }) {
  const menuId = useId()
  const [path] = useLocation()
  return (
    <>
      <nav aria-label={header.nav} className="hidden items-center gap-2 md:flex">
        <DashboardLink />
        <span className="max-w-[16rem] truncate px-2 text-dense text-text-2">{email}</span>
        <LogoutButton />
      </nav>
      <div className="md:hidden">
        <button type="button" className="btn-icon" popoverTarget={menuId} aria-label={header.account}>
          <CircleUserRound className="size-6" aria-hidden />
        </button>
        {/* Drawn anew, and so closed, on another page. */}
        <nav key={path} id={menuId} popover="auto" aria-label={header.nav} className="menu">
          <p className="truncate border-b border-border px-3 pt-1 pb-2.5 text-dense text-text-2">{email}</p>
          <div className="mt-2 grid gap-1">
            <DashboardLink />
            <LogoutButton />
          </div>
        </nav>
      </div>
    </>
  )
}

function DashboardLink() {
  return (
    <Link
      to={paths.dashboard}
      className="btn btn-ghost px-3 aria-[current=page]:bg-surface-2 aria-[current=page]:text-text"
    >
      {header.dashboard}
    </Link>
  )
}

function LogoutButton() {
  const [, navigate] = useLocation()
  const leave = async () => {
    await logout()
    navigate(paths.login, { replace: true })
  }
  return (
    <button type="button" className="btn btn-quiet h-9 px-3 text-dense" onClick={leave}>
      {header.logout}
    </button>
  )
}
