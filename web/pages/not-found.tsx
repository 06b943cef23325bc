import { useSession } from '../model/session.ts'
import { titles } from '../texts/messages.ts'
import { notFound } from '../texts/not-found-messages.ts'
import { paths } from '../paths.ts'
import { Link } from '../ui/link.tsx'
import { usePageTitle } from './use-page-title.ts'

export function NotFoundPage() {
  const { status } = useSession()
  usePageTitle(titles.notFound)
  return (
    <div className="page grid min-h-[60vh] flex-1 place-content-center justify-items-center py-16 text-center">
      <p className="text-display text-text-3">{notFound.code}</p>
      <h1 className="mt-3 text-title">{notFound.title}</h1>
      <p className="mt-2 mb-7 max-w-[40ch] text-reading text-balance text-text-2">{notFound.text}</p>
      <Link className="btn btn-primary" to={paths.home}>
        {notFound.home}
      </Link>
      {status === 'in' && <PaletteHint />}
    </div>
  )
}

/** Touch devices have no such keys. */
function PaletteHint() {
  const [before, after] = notFound.palette
  const modifier = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'
  return (
    <p className="mt-5 text-dense text-text-2 coarse:hidden">
      {before} <kbd className="kbd">{modifier}</kbd> <kbd className="kbd">K</kbd> {after}
    </p>
  )
}
