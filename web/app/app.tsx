import { Suspense } from 'react'
import { Toaster } from '../notify/toaster.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Routes } from './router.tsx'

export function App() {
  return (
    <ErrorBoundary>
      <Suspense>
        <Routes />
      </Suspense>
      <Toaster />
    </ErrorBoundary>
  )
}
