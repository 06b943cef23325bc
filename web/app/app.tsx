import { Suspense } from 'react'
import { Toaster } from '../notify/toaster.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Router } from './router.tsx'

export function App() {
  return (
    <ErrorBoundary>
      <Suspense>
        <Router />
      </Suspense>
      <Toaster />
    </ErrorBoundary>
  )
}
