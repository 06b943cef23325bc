import type { ReactNode } from 'react'
import { useExpiringImages } from '../model/images/expiring-images.ts'
import { shell } from '../texts/shell-messages.ts'
import { paths } from '../paths.ts'
import { Link } from '../ui/link.tsx'

/** Its accessible name has the count that the badge shows. */
export function NotificationsLink({ className, children }: { className: string; children?: ReactNode }) {
  const count = useExpiringImages().data?.length ?? 0
  return (
    <Link
      to={paths.notifications}
      className={className}
      {...(count > 0 && { 'aria-label': shell.notificationsWith(count) })}
    >
      {children}
      {shell.notifications}
      {count > 0 && <span className="badge-count">{shell.count(count)}</span>}
    </Link>
  )
}
