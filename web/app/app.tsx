import { Suspense } from 'react'
import { Toaster } from '../ui/toast/toaster.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { ErrorPage, type RenderFailure } from '../ui/error-page.tsx'
import { Routes } from './router.tsx'

export function App() {
  return (
    <ErrorBoundary fallback={BrokenSite}>
      <Suspense>
        <Routes />
      </Suspense>
      <Toaster />
    </ErrorBoundary>
  )
}

/** Replaces the whole page, header and footer included. */
const BrokenSite = (broken: RenderFailure) => (
  <main className="flex min-h-dvh flex-col">
    <ErrorPage {...broken} />
  </main>
)
