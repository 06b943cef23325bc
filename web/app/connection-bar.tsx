// What the whole site waits for: the network, a busy server, the user of the stored login. Part of the first script,
// because nothing can be loaded when it is shown.
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { troubleOf, waitReasonOf } from '../model/api-error.ts'
import { useOnline } from '../model/online.ts'
import { type RetryWait, useRetryWait } from '../model/retry-waits.ts'
import { logout, restoreSession, useSession } from '../model/session.ts'
import { paths } from '../paths.ts'
import { common, failures, header, suspended } from '../texts/messages.ts'
import { TryAgain } from '../ui/load-failure.tsx'
import { notify } from '../ui/toast/toast.ts'

export function ConnectionBar() {
  const session = useSession()
  const failure = session.status === 'out' ? session.failure : undefined
  const isOnline = useOnline()
  const [path] = useLocation()
  const wait = useRetryWait()
  const isSuspended = failure !== undefined
  const trouble = troubleOf(failure)
  useEffect(() => void (isSuspended && notify.error(suspended.failed, 'session')), [isSuspended])
  return (
    <div role="status" className="connection-bars">
      {isSuspended ? (
        <div className="connection-bar">
          <p>
            {suspended.text} {trouble.reason}
          </p>
          {trouble.canRetry && <TryAgain onRetry={restoreSession} />}
          <button type="button" className="btn btn-quiet btn-sm coarse:h-11" onClick={() => void logout()}>
            {header.logout}
          </button>
        </div>
      ) : (
        !isOnline && <p className="connection-bar">{path === paths.admin ? common.adminOffline : common.offline}</p>
      )}
      {isOnline && wait !== undefined && <Waiting key={wait.endsAt} wait={wait} />}
    </div>
  )
}

/** Counts the seconds down. They are read out once. */
function Waiting({ wait: { status, endsAt } }: { wait: RetryWait }) {
  const [first] = useState(() => secondsUntil(endsAt))
  const [seconds, setSeconds] = useState(first)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(endsAt)), 1000)
    return () => clearInterval(timer)
  }, [endsAt])
  const reason = waitReasonOf(status)
  return (
    <p className="connection-bar">
      <span className="sr-only">
        {reason} {failures.tryingIn(first)}
      </span>
      <span className="tabular-nums" aria-hidden>
        {reason} {failures.tryingIn(seconds)}
      </span>
    </p>
  )
}

const secondsUntil = (endsAt: number) => Math.max(1, Math.ceil((endsAt - Date.now()) / 1000))
