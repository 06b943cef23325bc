// Refusals for lack of capacity or of the storage, in the log at `warn`: at most one a minute and kind, so that a flood or a long
// outage does not fill the disk with them. The lines of the requests have the code alone.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FailureCode, failures } from '../../../contract/plain/failures.ts'
import { minuteMs } from '../../../contract/plain/limits.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { type Failure, reasonOf } from '../../domain/shared/failure.ts'

type CodeWith<Status> = { [C in FailureCode]: (typeof failures)[C]['status'] extends Status ? C : never }[FailureCode]

const isLogged: Partial<Record<FailureCode, boolean>> = {
  // It is logged where it fails.
  provider_unavailable: false,
  busy: true,
  storage_unavailable: true,
  storage_full: true,
  guest_quota_full: true,
  total_quota_full: true,
  documents_full: true,
  reports_full: true,
  no_space_for_backup: true,
} satisfies Record<CodeWith<503 | 507>, boolean>

interface Kind {
  loggedAt: number
  /** Since then. */
  unlogged: number
}

const kindsOf = new WeakMap<object, { now: () => number; kinds: Map<FailureCode, Kind> }>()

export const warnOfCapacity = (app: FastifyInstance, { now }: Pick<Deps, 'now'>): void =>
  void kindsOf.set(app.server, { now, kinds: new Map() })

export function noteCapacity(request: FastifyRequest, failure: Failure): void {
  const route = request.routeOptions.url
  const state = kindsOf.get(request.server.server)
  // A server that starts or stops is not ready: no request is refused.
  if (!state || !isLogged[failure.code] || route === '/readyz') return
  const reason = failure.cause instanceof Error ? reasonOf(failure.cause) : failure.message
  const { code } = failure
  const at = state.now()
  const kind = state.kinds.get(code)
  if (kind && at - kind.loggedAt < minuteMs) return void kind.unlogged++
  const text = code === 'storage_unavailable' ? 'The storage is unavailable' : 'Refused for lack of capacity'
  request.log.warn({ code, reason, route, refusedBefore: kind?.unlogged ?? 0 }, text)
  state.kinds.set(code, { loggedAt: at, unlogged: 0 })
}
