// Recognizes bots by the time between showing and sending a public form.
import { limits } from '../../../contract/plain/limits.ts'
import type { Deps } from './deps.ts'
import { Failure } from './failure.ts'
import { throttle } from './throttle.ts'

/**
 * A missing time, or one in another format, passes: see {@link throttleUntimedForm}.
 * @param time when the form was shown, as the client sends it
 * @throws {Failure} untimely_form
 */
export function assertTimelyForm(time: string | number | undefined, now: number): void {
  const shownAt = readTime(time)
  if (shownAt === null) return
  const openMs = now - shownAt
  if (openMs < limits.publicForm.minOpenMs || openMs > limits.publicForm.maxOpenMs) throw new Failure('untimely_form')
}

/**
 * Programs may omit the time, or send it in another format. Their forms have a share of the limit of all addresses, so that a
 * flood of them leaves the rest to people.
 * @throws {Failure} too_many_requests
 */
export async function throttleUntimedForm(
  deps: Pick<Deps, 'counters' | 'now'>,
  { name, time }: { name: 'contact' | 'report'; time: string | number | undefined },
): Promise<void> {
  if (readTime(time) === null) await throttle(deps, { key: `${name}-untimed`, ...limits.publicForm.untimed })
}

/** @returns UTC milliseconds, or null when it is neither a number nor an ISO 8601 date and time */
function readTime(time: string | number = ''): number | null {
  if (typeof time === 'number') return time
  if (/^\d{1,16}$/.test(time)) return Number(time)
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(time) ? Date.parse(time) : NaN
  return Number.isNaN(at) ? null : at
}
