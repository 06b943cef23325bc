import { lazy, Suspense, useRef, type ReactNode } from 'react'
import { useInstallOffer } from '../data/install-offer.ts'
import { logout, type Session, useSession } from '../data/session.ts'
import { useSite } from '../data/site.ts'
import { common, header } from '../texts/messages.ts'
import { Loading } from '../ui/loading.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { KeyboardLoader } from './keyboard-loader.tsx'
import { SignedIn } from './pages.ts'
import { useRouteChange } from './route-change.ts'
import { useOnline } from '../data/online.ts'

const InstallBar = lazy(async () => ({ default: (await import('../features/install/install-bar.tsx')).InstallBar }))

interface Props {
  shownPath: string
  children: ReactNode
}

/** The frame of every route: header, footer, toasts and dialogs. */
export function Layout({ shownPath, children }: Props) {
  const session = useSession()
  const main = useRef<HTMLElement>(null)
  const announcement = useRef<HTMLParagraphElement>(null)
  const { siteName } = useSite()
  const canInstall = useInstallOffer()
  useRouteChange(shownPath, main, announcement)

  return (
    <div className="flex min-h-dvh flex-col">
      <a className="skip" href="#main">
        {common.skipToContent}
      </a>
      <Header />
      <ConnectionBar session={session} />
      <main id="main" ref={main} tabIndex={-1} className="flex flex-1 flex-col">
        <Suspense fallback={<Loading text={common.loading} />}>
          {/* Inside the boundary: leaving a failed page resets it, and a loading page does not blank the previous one. */}
          <ErrorBoundary key={shownPath}>{children}</ErrorBoundary>
        </Suspense>
      </main>
      <Footer />
      {session.status === 'in' && (
        <Suspense>
          <SignedIn userId={session.user.id} />
        </Suspense>
      )}
      {canInstall && (
        <Suspense>
          <InstallBar siteName={siteName} />
        </Suspense>
      )}
      <KeyboardLoader isUser={session.status === 'in'} />
      <p ref={announcement} className="sr-only" aria-live="polite" />
    </div>
  )
}

/** Part of the first script, because nothing can be loaded when it is shown. */
function ConnectionBar({ session }: { session: Session }) {
  const isOnline = useOnline()
  const isUnavailable = session.status === 'loading' && session.hasFailed
  return (
    <div role="status">
      {(!isOnline || isUnavailable) && (
        <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 border-b border-border bg-warning-soft px-(--gutter) py-2 text-center text-dense text-balance font-medium text-warning-text">
          <p>{isOnline ? common.unavailable : common.offline}</p>
          {isUnavailable && (
            <button type="button" className="btn btn-quiet btn-sm" onClick={() => void logout()}>
              {header.logout}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
