import {
  CircleUserRound,
  CodeXml,
  FolderOpen,
  Keyboard,
  Link2,
  Search,
  ShieldCheck,
  Tags,
  Trash2,
  type LucideIcon,
} from 'lucide-react'
import { useOpenReportCount } from '../model/open-reports.ts'
import { useIsAdmin } from '../model/session.ts'
import { trashDays } from '../model/site.ts'
import { trashPath } from '../model/trash-path.ts'
import { openShellDialog, type ShellDialog } from '../model/shell-dialog.ts'
import { header, titles } from '../texts/messages.ts'
import { shell } from '../texts/shell-messages.ts'
import { trash } from '../texts/trash-messages.ts'
import { paths } from '../paths.ts'
import { Link } from '../ui/link.tsx'
import { LogoutButton } from './logout-button.tsx'

/** The id by which buttons in the header and the bottom bar open the menu. */
export const accountMenuId = 'account-menu'

/** Links that fit neither in the header row nor in the bottom bar. */
const links: readonly (readonly [to: string, label: string, Icon: LucideIcon])[] = [
  [paths.albums, titles.albums, FolderOpen],
  [paths.tags, titles.tags, Tags],
  ...(trashDays > 0 ? [[trashPath, trash.title, Trash2] as const] : []),
  [paths.links, shell.links, Link2],
  [paths.apiKeys, shell.developers, CodeXml],
  [paths.account, shell.account, CircleUserRound],
]

const dialogs: readonly (readonly [dialog: ShellDialog, label: string, Icon: LucideIcon])[] = [
  ['palette', shell.find, Search],
  ['shortcuts', shell.shortcuts, Keyboard],
]

const row = 'btn btn-ghost w-full justify-start px-3 aria-[current=page]:bg-surface-3 aria-[current=page]:text-text'

export function AccountMenu({ email }: { email: string }) {
  const isAdmin = useIsAdmin()
  return (
    <nav id={accountMenuId} popover="auto" aria-label={header.account} className="menu account-menu">
      <p className="wrap-anywhere border-b border-border px-3 pt-1 pb-2.5 text-dense text-text-2">{email}</p>
      <div className="mt-2 grid gap-0.5">
        {links.map(([to, label, Icon]) => (
          <Link key={to} to={to} className={row} onClick={hideMenu}>
            <Icon className="size-[1.125rem] shrink-0" aria-hidden />
            {label}
          </Link>
        ))}
        {isAdmin && <AdminLink />}
        {dialogs.map(([dialog, label, Icon]) => (
          <button
            key={dialog}
            type="button"
            className={row}
            onClick={() => {
              hideMenu()
              openShellDialog(dialog)
            }}
          >
            <Icon className="size-[1.125rem] shrink-0" aria-hidden />
            {label}
          </button>
        ))}
        <LogoutButton className="mt-2 md:hidden" />
      </div>
    </nav>
  )
}

/** Its accessible name has the count that the badge shows. */
function AdminLink() {
  const reports = useOpenReportCount()
  return (
    <Link
      to={paths.admin}
      className={row}
      onClick={hideMenu}
      {...(reports > 0 && { 'aria-label': shell.adminWith(reports) })}
    >
      <ShieldCheck className="size-[1.125rem] shrink-0" aria-hidden />
      {shell.admin}
      {reports > 0 && <span className="badge-count">{shell.count(reports)}</span>}
    </Link>
  )
}

const hideMenu = () => document.getElementById(accountMenuId)?.hidePopover()
