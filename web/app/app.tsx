import { Suspense } from 'react'
import { Toaster } from '../ui/toast/toaster.tsx'
import { BrokenPage, type Broken } from './error-page.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
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
const BrokenSite = (broken: Broken) => (
  <main className="flex min-h-dvh flex-col">
    <BrokenPage {...broken} />
  </main>
)
