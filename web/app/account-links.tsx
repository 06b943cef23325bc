// The header of a signed-in user: a row of links on wide screens, one button on a phone, and the menu that both open.
import { ChevronDown, CircleUserRound } from 'lucide-react'
import { useLocation } from 'wouter'
import { header, titles } from '../texts/messages.ts'
import { paths } from '../paths.ts'
import { Link } from '../ui/link.tsx'
import { AccountMenu, accountMenuId } from './account-menu.tsx'
import { LogoutButton } from './logout-button.tsx'
import { NotificationsLink } from './notifications-link.tsx'

const inRow = 'btn btn-ghost px-3 aria-[current=page]:bg-surface-3 aria-[current=page]:text-text'

export function AccountLinks({ email }: { email: string }) {
  const [path] = useLocation()
  return (
    <>
      <nav aria-label={header.nav} className="hidden min-w-0 shrink-[4] items-center gap-1 md:flex">
        <Link to={paths.dashboard} className={inRow}>
          {header.dashboard}
        </Link>
        <Link to={paths.albums} className={inRow}>
          {titles.albums}
        </Link>
        <NotificationsLink className={inRow} />
        <button type="button" className="btn btn-ghost max-w-[17rem] min-w-0 px-3" popoverTarget={accountMenuId}>
          <span className="truncate">{email}</span>
          <span className="sr-only">{header.account}</span>
          <ChevronDown className="size-4 shrink-0" aria-hidden />
        </button>
        <LogoutButton />
      </nav>
      <button type="button" className="btn-icon md:hidden" popoverTarget={accountMenuId} aria-label={header.account}>
        <CircleUserRound className="size-6" aria-hidden />
      </button>
      {/* Remounted, and so closed, on every page change. */}
      <AccountMenu key={path} email={email} />
    </>
  )
}
