// The bottom navigation bar of a phone, with the pages that are used daily.
import { Bell, CloudUpload, Images, Menu } from 'lucide-react'
import { useLocation } from 'wouter'
import { header } from '../texts/messages.ts'
import { shell } from '../texts/shell-messages.ts'
import { paths } from '../paths.ts'
import { Link } from '../ui/link.tsx'
import { accountMenuId } from './account-menu.tsx'
import { chooseImage } from './choose-image.ts'
import { NotificationsLink } from './notifications-link.tsx'

export function BottomBar() {
  const [, navigate] = useLocation()
  return (
    <nav aria-label={header.nav} className="bottom-bar">
      <Link to={paths.dashboard} className="bottom-bar-item">
        <Images className="size-5" aria-hidden />
        {header.dashboard}
      </Link>
      <button
        type="button"
        className="bottom-bar-item"
        onClick={() => void chooseImage(() => navigate(paths.dashboard))}
      >
        <CloudUpload className="size-5" aria-hidden />
        {shell.upload}
      </button>
      <NotificationsLink className="bottom-bar-item">
        <Bell className="size-5" aria-hidden />
      </NotificationsLink>
      <button type="button" className="bottom-bar-item" popoverTarget={accountMenuId}>
        <Menu className="size-5" aria-hidden />
        {shell.menu}
      </button>
    </nav>
  )
}
