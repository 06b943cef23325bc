// Records what the blocklists refuse (docs/decisions/0036).
import type { FailureCode } from '../../../contract/plain/failures.ts'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { auditAlone } from '../audit/audit.ts'
import type { Caller, RequestOrigin } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'

const codes: readonly FailureCode[] = ['image_blocked', 'address_blocked']

const { perAddress, perInstance } = accountLimits.blockRefusalEntries

/** Runs a request, and records a refusal by a blocklist. @throws what `run` throws */
export async function recordingBlockRefusals<T>(
  deps: Deps,
  origin: RequestOrigin<Caller>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const code = codes.find((known) => error instanceof Failure && error.code === known)
    if (code !== undefined) await record(deps, origin, code)
    throw error
  }
}

/** The metric counts all. The audit log has the first ones of an hour: a flood must not fill it. */
async function record(deps: Deps, { caller, address }: RequestOrigin<Caller>, code: FailureCode): Promise<void> {
  deps.metrics.blockRefusal(code)
  const isWithin = async (key: string, { limit, windowMs }: { limit: number; windowMs: number }) =>
    (await deps.counters.hit(key, windowMs, deps.now())).hits <= limit
  if (!(await isWithin(`refused-by-block:${address}:${code}`, perAddress))) return
  if (!(await isWithin('refused-by-block', perInstance))) return
  await auditAlone(deps, { actor: caller, address, action: 'refused_by_block', details: { code } })
}
