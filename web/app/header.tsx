import { Monitor, Moon, Sun } from 'lucide-react'
import { Suspense } from 'react'
import { Link } from '../ui/link.tsx'
import { useSession } from '../model/session.ts'
import { useSite } from '../model/site.ts'
import { header } from '../texts/messages.ts'
import { paths } from '../paths.ts'
import { Logo } from '../ui/logo.tsx'
import { AccountLinks } from './lazy-pages.ts'
import { SiteName } from './site-name.tsx'
import { setTheme, nextTheme, useTheme } from '../model/theme.ts'

export function Header() {
  const session = useSession()
  return (
    <header className="header">
      <div className="flex h-(--header-height) items-center gap-1 px-(--gutter) md:gap-2">
        <Link
          to={session.status === 'in' ? paths.dashboard : paths.home}
          className="mr-auto flex min-w-0 items-center md:max-w-1/2 md:shrink-0 gap-2.5 rounded-tile py-2 font-semibold coarse:min-h-11"
        >
          <Logo className="size-[1.625rem] shrink-0" />
          <SiteName className="truncate" />
        </Link>
        <ThemeButton />
        {session.status === 'in' && (
          <Suspense>
            <AccountLinks email={session.user.email} />
          </Suspense>
        )}
        {session.status === 'out' && <GuestLinks />}
      </div>
    </header>
  )
}

function GuestLinks() {
  const { registration } = useSite()
  return (
    <nav aria-label={header.nav} className="flex items-center gap-1 md:gap-2">
      <Link to={paths.login} className="btn btn-ghost px-3">
        {header.login}
      </Link>
      {registration !== 'closed' && (
        <Link to={paths.register} className="btn btn-primary h-9 px-3 text-dense">
          {header.register}
        </Link>
      )}
    </nav>
  )
}

const icons = { system: Monitor, light: Sun, dark: Moon }

/** Cycles through system, light and dark. */
function ThemeButton() {
  const theme = useTheme()
  const Icon = icons[theme]
  return (
    <button
      type="button"
      className="btn-icon"
      title={header.theme[theme]}
      aria-label={header.theme[theme]}
      onClick={() => setTheme(nextTheme(theme))}
    >
      <Icon className="size-[1.125rem]" aria-hidden />
    </button>
  )
}
