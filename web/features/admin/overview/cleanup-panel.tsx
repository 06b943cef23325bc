import { useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { cleanUp, cleanupPreview } from './instance-stats.ts'
import { NoResponse, troubleOf } from '../../../model/api-error.ts'
import { useOnline } from '../../../model/online.ts'
import { queryClient } from '../../../model/query-client.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { admin, cleanup } from '../../../texts/admin/admin-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Skeletons } from '../../../ui/list-panel/skeletons.tsx'
import { useActionOutcome } from '../use-action-outcome.ts'

/** Shows what a cleanup would remove, asks for confirmation and runs it. */
export function CleanupPanel() {
  const { data: value, status, error, refetch } = useQuery(cleanupPreview, queryClient)
  const { outcome, attempt } = useActionOutcome()
  const [isAsking, setAsking] = useState(false)
  const isOnline = useOnline()
  const titleId = useId()
  const isDone = useRef(false)

  const run = () =>
    attempt(async () => {
      const { deletedImages, freedSpace } = await cleanUp().catch(orStillRunning)
      isDone.current = true
      return deletedImages === undefined ? cleanup.slow : cleanup.done(deletedImages, formatBytes(freedSpace))
    }, cleanup.failed)

  return (
    <section className="card admin-card cleanup" aria-labelledby={titleId} aria-busy={status === 'pending'}>
      <h2 id={titleId} tabIndex={-1} className="text-h3">
        {cleanup.title}
      </h2>
      <p className="mt-1 mb-5 text-dense text-text-2">{cleanup.text}</p>
      {status === 'error' && <LoadFailure title={cleanup.loadFailed} {...troubleOf(error)} onRetry={refetch} isBar />}
      {value === undefined && status === 'pending' && <Skeletons count={1} className="h-28" />}
      {value !== undefined && (
        <>
          <dl className="cleanup-facts">
            <Fact label={cleanup.now} value={admin.number(value.images)} />
            <Fact label={cleanup.bytes} value={formatBytes(value.bytes)} />
          </dl>
          <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
            <button
              type="button"
              className="btn btn-primary"
              disabled={value.images === 0 || !isOnline}
              onClick={() => setAsking(true)}
            >
              <Sparkles className="size-4" aria-hidden />
              {cleanup.start}
            </button>
            {value.images === 0 && outcome === '' && <p className="text-dense text-text-2">{cleanup.nothing}</p>}
            <p role="status" className="text-dense font-medium text-success-text empty:hidden">
              {outcome}
            </p>
          </div>
          {isAsking && (
            <ConfirmDialog
              title={cleanup.ask}
              confirm={cleanup.start}
              busy={cleanup.running}
              isDanger
              onConfirm={run}
              onClose={() => {
                setAsking(false)
                // The button is disabled once there is nothing left to remove.
                if (isDone.current) requestAnimationFrame(() => focusTitle(titleId))
                isDone.current = false
              }}
            >
              <p>{cleanup.askText(value.images, formatBytes(value.bytes))}</p>
            </ConfirmDialog>
          )}
        </>
      )}
    </section>
  )
}

const focusTitle = (id: string) => document.getElementById(id)?.focus()

/** The server continues after the request has timed out. */
function orStillRunning(error: unknown) {
  if (error instanceof NoResponse && error.isTimeout) return { deletedImages: undefined, freedSpace: 0 }
  throw error
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt className="text-meta text-text-2">{label}</dt>
    <dd className="figure-value">{value}</dd>
  </div>
)
