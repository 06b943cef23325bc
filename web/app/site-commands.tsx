// The entries of the command palette.
import {
  Bell,
  BookOpen,
  CircleUserRound,
  CloudUpload,
  FileText,
  Flag,
  FolderOpen,
  House,
  Images,
  Info,
  Keyboard,
  KeyRound,
  Link2,
  LogIn,
  LogOut,
  Mail,
  Monitor,
  Moon,
  ShieldCheck,
  Sun,
  Tags,
  Trash2,
  UserPlus,
  Webhook,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useIsAdmin, useSession } from '../model/session.ts'
import { trashDays } from '../model/site.ts'
import { openShellDialog } from '../model/shell-dialog.ts'
import { setTheme } from '../model/theme.ts'
import { trashPath } from '../model/trash-path.ts'
import type { Command } from '../features/palette/rank-commands.ts'
import { Palette } from '../features/palette/palette.tsx'
import { header, titles } from '../texts/messages.ts'
import { palette } from '../texts/palette-messages.ts'
import { shell } from '../texts/shell-messages.ts'
import { trash } from '../texts/trash-messages.ts'
import { webhooks } from '../texts/webhooks-messages.ts'
import { paths } from '../paths.ts'
import { chooseImage } from './choose-image.ts'
import { imageCommands } from './image-commands.ts'
import { useLogout } from './logout-button.tsx'
import { adminPlaces, clientPlaces, userPlaces } from './palette-places.ts'
import { synonyms } from './synonyms.ts'

type PageRow = readonly [to: string, label: string, Icon: LucideIcon, synonyms: string, keys?: string]

const userPageRows: readonly PageRow[] = [
  [paths.dashboard, titles.dashboard, Images, synonyms.dashboard, 'G D'],
  [paths.albums, titles.albums, FolderOpen, synonyms.albums, 'G B'],
  [paths.tags, titles.tags, Tags, synonyms.tags],
  ...(trashDays > 0 ? [[trashPath, trash.title, Trash2, synonyms.trash] as const] : []),
  [paths.links, shell.links, Link2, synonyms.links],
  [paths.notifications, titles.notifications, Bell, synonyms.notifications, 'G N'],
  [paths.apiKeys, titles.apiKeys, KeyRound, synonyms.apiKeys, 'G K'],
  [`${paths.apiKeys}?tab=webhooks`, webhooks.title, Webhook, synonyms.webhooks],
  [paths.apiDocs, titles.apiDocs, BookOpen, synonyms.apiDocs, 'G A'],
  [paths.account, titles.account, CircleUserRound, synonyms.account],
]
const adminPageRows: readonly PageRow[] = [[paths.admin, shell.admin, ShieldCheck, synonyms.admin]]
const guestPageRows: readonly PageRow[] = [
  [paths.home, palette.home, House, ''],
  [paths.login, titles.login, LogIn, synonyms.login],
  [paths.register, titles.register, UserPlus, synonyms.register],
]
const publicPageRows: readonly PageRow[] = [
  [paths.tools, titles.tools, Wrench, synonyms.tools],
  [paths.about, titles.about, Info, ''],
  [paths.contact, titles.contact, Mail, synonyms.contact],
  [paths.report, palette.report, Flag, synonyms.report],
  [paths.privacy, titles.privacy, FileText, synonyms.privacy],
  [paths.terms, titles.terms, FileText, synonyms.terms],
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
  // The first render comes before the palette takes the focus.
  const [ofImages] = useState(imageCommands)
  const start = isUser ? paths.dashboard : paths.home

  const pages = [...(isUser ? userPageRows : guestPageRows), ...(isAdmin ? adminPageRows : []), ...publicPageRows].map(
    ([to, label, Icon, words, keys]): Command => ({
      id: to,
      group: 'pages',
      label,
      Icon,
      synonyms: words,
      keys,
      run: () => navigate(to),
    }),
  )
  const choose: Command = {
    id: 'choose',
    group: 'commands',
    label: palette.chooseImage,
    synonyms: synonyms.choose,
    Icon: CloudUpload,
    keys: 'U',
    run: () => void chooseImage(() => navigate(start)),
  }
  const looks = themes.map(([theme, Icon]): Command => ({
    id: theme,
    group: 'commands',
    label: header.theme[theme],
    synonyms: synonyms.theme,
    Icon,
    run: () => setTheme(theme),
  }))
  const keys: Command = {
    id: 'keys',
    group: 'commands',
    label: palette.keys,
    synonyms: synonyms.keys,
    Icon: Keyboard,
    keys: '?',
    run: () => void openShellDialog('shortcuts'),
  }
  const out: Command = {
    id: 'out',
    group: 'commands',
    label: palette.logOut,
    synonyms: synonyms.logOut,
    Icon: LogOut,
    run: () => void leave(),
  }

  return (
    <Palette
      commands={[
        ...ofImages,
        ...pages,
        ...(isUser ? userPlaces(navigate) : []),
        ...(isAdmin ? adminPlaces(navigate) : []),
        ...clientPlaces(navigate),
        choose,
        ...looks,
        keys,
        ...(isUser ? [out] : []),
      ]}
      onSearch={(typed) => navigate(`${paths.dashboard}?q=${encodeURIComponent(typed)}`)}
      {...(isUser && { onImage: (id: string) => navigate(`${paths.dashboard}?image=${encodeURIComponent(id)}`) })}
      onClose={onClose}
    />
  )
}
