import { Component, type ErrorInfo, type ReactNode } from 'react'
import { ErrorPage, type RenderFailure } from './error-page.tsx'

interface Props {
  children: ReactNode
  fallback?: (broken: RenderFailure) => ReactNode
}

/** An error boundary for a part of the page: catches render errors and scripts that fail to load. */
export class ErrorBoundary extends Component<Props, { broken?: RenderFailure }> {
  override state: { broken?: RenderFailure } = {}

  static getDerivedStateFromError(error: unknown) {
    return { broken: { error, id: newErrorId() } }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    console.error(`Error id ${this.state.broken?.id}`, error, componentStack)
  }

  override render() {
    const { children, fallback = ErrorPage } = this.props
    const { broken } = this.state
    return broken === undefined ? children : fallback(broken)
  }
}

/** An id that the user can read out and that the console shows. Not a secret; crypto.randomUUID needs a secure context. */
const newErrorId = () => Math.random().toString(36).slice(2, 10)
