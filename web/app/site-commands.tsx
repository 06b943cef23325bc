// The entries of the command palette.
import {
  Bell,
  BookOpen,
  CircleUserRound,
  CloudUpload,
  FileText,
  Flag,
  House,
  Images,
  Info,
  Keyboard,
  KeyRound,
  LogIn,
  LogOut,
  Mail,
  Monitor,
  Moon,
  ShieldCheck,
  Sun,
  UserPlus,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import { useLocation } from 'wouter'
import { useIsAdmin, useSession } from '../model/session.ts'
import { openShellDialog } from '../model/shell-dialog.ts'
import { setTheme } from '../model/theme.ts'
import type { Command } from '../features/palette/palette-commands.ts'
import { Palette } from '../features/palette/palette.tsx'
import { header, titles } from '../texts/messages.ts'
import { palette } from '../texts/palette-messages.ts'
import { shell } from '../texts/shell-messages.ts'
import { paths } from '../paths.ts'
import { chooseImage } from './choose-image.ts'
import { useLogout } from './logout-button.tsx'

type PageRow = readonly [to: string, label: string, Icon: LucideIcon, keys?: string]

const userPageRows: readonly PageRow[] = [
  [paths.dashboard, titles.dashboard, Images, 'G D'],
  [paths.notifications, titles.notifications, Bell, 'G N'],
  [paths.apiKeys, titles.apiKeys, KeyRound, 'G K'],
  [paths.apiDocs, titles.apiDocs, BookOpen, 'G A'],
  [paths.account, titles.account, CircleUserRound],
]
const adminPageRows: readonly PageRow[] = [[paths.admin, shell.admin, ShieldCheck]]
const guestPageRows: readonly PageRow[] = [
  [paths.home, palette.home, House],
  [paths.login, titles.login, LogIn],
  [paths.register, titles.register, UserPlus],
]
const publicPageRows: readonly PageRow[] = [
  [paths.tools, titles.tools, Wrench],
  [paths.about, titles.about, Info],
  [paths.contact, titles.contact, Mail],
  [paths.report, palette.report, Flag],
  [paths.privacy, titles.privacy, FileText],
  [paths.terms, titles.terms, FileText],
]

const themes = [
  ['system', Monitor],
  ['light', Sun],
  ['dark', Moon],
] as const

export function SiteCommands({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const isUser = useSession().status === 'in'
  const isAdmin = useIsAdmin()
  const leave = useLogout()
  const start = isUser ? paths.dashboard : paths.home

  const pages = [...(isUser ? userPageRows : guestPageRows), ...(isAdmin ? adminPageRows : []), ...publicPageRows].map(
    ([to, label, Icon, keys]): Command => ({
      id: to,
      group: 'pages',
      label,
      Icon,
      keys,
      run: () => navigate(to),
    }),
  )
  const choose: Command = {
    id: 'choose',
    group: 'commands',
    label: palette.chooseImage,
    Icon: CloudUpload,
    keys: 'U',
    run: () => void chooseImage(() => navigate(start)),
  }
  const looks = themes.map(([theme, Icon]): Command => ({
    id: theme,
    group: 'commands',
    label: header.theme[theme],
    Icon,
    run: () => setTheme(theme),
  }))
  const keys: Command = {
    id: 'keys',
    group: 'commands',
    label: palette.keys,
    Icon: Keyboard,
    keys: '?',
    run: () => openShellDialog('shortcuts'),
  }
  const out: Command = { id: 'out', group: 'commands', label: palette.logOut, Icon: LogOut, run: () => void leave() }

  return (
    <Palette
      commands={[...pages, choose, ...looks, keys, ...(isUser ? [out] : [])]}
      {...(isUser && { onImage: (id: string) => navigate(`${paths.dashboard}?image=${encodeURIComponent(id)}`) })}
      onClose={onClose}
    />
  )
}
