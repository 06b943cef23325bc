import { Suspense, useDeferredValue, useRef, useState, type ReactNode } from 'react'
import { waitTextOf } from '../model/api-error.ts'
import { useInstallOffer } from '../model/install-offer.ts'
import { useRetryWait } from '../model/retry-waits.ts'
import { useSession } from '../model/session.ts'
import { useSite } from '../model/site.ts'
import { common } from '../texts/messages.ts'
import { WaitText } from '../ui/dialog/wait-text.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { Loading } from '../ui/loading.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { Section } from '../ui/section.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { KeyboardLoader } from './keyboard-loader.tsx'
import { paths } from '../paths.ts'
import { GuestFrame, LoggedIn } from './lazy-pages.ts'
import { useRouteChange } from './route-change.ts'

const InstallBar = onDemand(async () => (await import('./install-bar.tsx')).InstallBar)

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
  // The page is painted first.
  const hasUserFrame = useDeferredValue(session.status === 'in')
  const [hasGuestFrame, setGuestFrame] = useState(false)
  if (!hasGuestFrame && shownPath !== paths.home && session.status === 'out') setGuestFrame(true)

  return (
    <Waits>
      <div className="flex min-h-dvh flex-col">
        <a className="skip" href="#main">
          {common.skipToContent}
        </a>
        <Header />
        <ConnectionBar />
        <main id="main" ref={main} tabIndex={-1} className="flex flex-1 flex-col">
          <Suspense fallback={<Loading text={common.loading} />}>
            {/* Inside the boundary: leaving a failed page resets it, and a loading page does not blank the previous one. */}
            <ErrorBoundary key={shownPath}>{children}</ErrorBoundary>
          </Suspense>
        </main>
        <Footer />
        {session.status === 'in' && hasUserFrame && (
          <Section>
            <Suspense>
              <LoggedIn userId={session.user.id} />
            </Suspense>
          </Section>
        )}
        {hasGuestFrame && (
          <Section>
            <Suspense>
              <GuestFrame />
            </Suspense>
          </Section>
        )}
        {canInstall && (
          <Section>
            <Suspense>
              <InstallBar siteName={siteName} />
            </Suspense>
          </Section>
        )}
        <Section>
          <KeyboardLoader isUser={session.status === 'in'} />
        </Section>
        <p ref={announcement} className="sr-only" aria-live="polite" />
      </div>
    </Waits>
  )
}

/** Only what says why it waits is rendered again. */
function Waits({ children }: { children: ReactNode }) {
  const wait = useRetryWait()
  return <WaitText value={wait && waitTextOf(wait.status)}>{children}</WaitText>
}
