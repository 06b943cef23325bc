import { Component, type ErrorInfo, type ReactNode } from 'react'
import { BrokenPage, type Broken } from './broken-page.tsx'

interface Props {
  children: ReactNode
  fallback?: (broken: Broken) => ReactNode
}

/** A net under a part of the page: what throws while it renders, or whose script could not be loaded. */
export class ErrorBoundary extends Component<Props, { broken?: Broken }> {
  override state: { broken?: Broken } = {}

  static getDerivedStateFromError(error: unknown) {
    return { broken: { error, id: newErrorId() } }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    console.error(`Error id ${this.state.broken?.id}`, error, componentStack)
  }

  override render() {
    const { children, fallback = BrokenPage } = this.props
    const { broken } = this.state
    return broken === undefined ? children : fallback(broken)
  }
}

/** What a visitor can read out and the console has too. Not a secret; the crypto API would want a secure context. */
const newErrorId = () => Math.random().toString(36).slice(2, 10)
