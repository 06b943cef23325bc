import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { boundary } from '../texts/messages.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { isNotLoaded, type RenderFailure } from './error-page.tsx'

/** A part of a page: an error in it leaves the other parts. */
export const Section = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary fallback={SectionFailure}>{children}</ErrorBoundary>
)

const SectionFailure = (broken: RenderFailure) => (
  <div role="alert" className="card load-failure my-4" data-kind="failed">
    <span className="load-failure-icon">
      <TriangleAlert aria-hidden />
    </span>
    <p className="text-h3">{boundary.title}</p>
    <BrokenPart {...broken} />
  </div>
)

/** What helps after a render error. */
export const BrokenPart = ({ error, id }: RenderFailure) => (
  <>
    <p className="max-w-[52ch] text-dense text-balance text-text-2">
      {isNotLoaded(error) ? boundary.notLoaded : boundary.sectionText}
    </p>
    <button type="button" className="btn btn-quiet btn-sm coarse:h-11" onClick={() => location.reload()}>
      {boundary.reload}
    </button>
    <p className="text-meta text-text-3">
      {boundary.id}: <code className="select-all">{id}</code>
    </p>
  </>
)
