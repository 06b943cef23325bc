import { Component, type ErrorInfo, type ReactNode } from 'react'
import { boundary } from '../notify/messages.ts'
import { paths } from '../paths.ts'

/** The last net: a page that throws while it renders, or whose script could not be loaded. Plain links: the router may be what broke. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    console.error(error, componentStack)
  }

  override render() {
    return this.state.isBroken ? <BrokenPage /> : this.props.children
  }
}

function BrokenPage() {
  return (
    <main className="page grid min-h-dvh max-w-xl place-content-center gap-5 text-center" role="alert">
      <h1 className="text-title">{boundary.title}</h1>
      <p className="text-text-2">{boundary.text}</p>
      <div className="flex flex-wrap justify-center gap-3">
        <button type="button" className="btn btn-primary" onClick={() => location.reload()}>
          {boundary.reload}
        </button>
        <a className="btn btn-quiet" href={paths.home}>
          {boundary.home}
        </a>
      </div>
    </main>
  )
}
