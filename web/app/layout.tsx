import { lazy, Suspense, useRef, type ReactNode } from 'react'
import { useSession } from '../data/session.ts'
import { common } from '../notify/messages.ts'
import { Loading } from '../ui/loading.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { useRouteChange } from './route-change.ts'

/** Goes on from page to page, and after a reload. */
const UploadTray = lazy(async () => ({ default: (await import('../features/upload/upload-tray.tsx')).UploadTray }))

interface Props {
  shownPath: string
  children: ReactNode
}

/** Everything that stands on every route. */
export function Layout({ shownPath, children }: Props) {
  const session = useSession()
  const main = useRef<HTMLElement>(null)
  const announcement = useRef<HTMLParagraphElement>(null)
  useRouteChange(shownPath, main, announcement)

  return (
    <div className="flex min-h-dvh flex-col">
      <a className="skip" href="#main">
        {common.skipToContent}
      </a>
      <Header />
      <main id="main" ref={main} tabIndex={-1} className="flex flex-1 flex-col">
        <Suspense fallback={<Loading text={common.loading} />}>{children}</Suspense>
      </main>
      <Footer />
      {session.status === 'in' && (
        <Suspense>
          <UploadTray userId={session.user.id} />
        </Suspense>
      )}
      <p ref={announcement} className="sr-only" aria-live="polite" />
    </div>
  )
}
