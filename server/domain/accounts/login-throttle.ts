// Failed logins slow down whoever makes them; a stranger can never lock an account for its owner elsewhere.
import { limits } from '../../../contract/limits.ts'
import type { Deps } from '../deps.ts'
import { tooMany } from '../throttle.ts'

interface Attempt {
  email: string
  /** Of the client. */
  address: string
}

const { perAccountAndAddress, perAddress, perAccount, maxDelayMs } = limits.login

/**
 * After five failures of an address at an account, one attempt passes in 1, 2, 4 … 60 seconds; an address with 20 failures
 * waits for the end of its window.
 * @throws {Failure} too_many_requests
 */
export async function refuseWhileThrottled(deps: Deps, attempt: Attempt): Promise<void> {
  const now = deps.now()
  const keys = keysOf(attempt)
  const [pair, address, account] = await Promise.all(
    [keys.pair, keys.address, keys.account].map((key) => deps.counters.peek(key, now)),
  )
  if (address && address.hits >= perAddress.limit) throw tooMany(address.endsAt - now)
  const failures = pair?.hits ?? 0
  const isSlowed = failures >= perAccountAndAddress.limit || (account?.hits ?? 0) >= perAccount.limit
  if (!isSlowed) return
  const delayMs = Math.min(maxDelayMs, 1000 * 2 ** Math.max(0, failures - perAccountAndAddress.limit))
  const gate = await deps.counters.hit(keys.gate, delayMs, now)
  if (gate.hits > 1) throw tooMany(gate.endsAt - now)
}

export async function countFailedLogin(deps: Deps, attempt: Attempt): Promise<void> {
  const now = deps.now()
  const keys = keysOf(attempt)
  await deps.counters.hit(keys.pair, perAccountAndAddress.windowMs, now)
  await deps.counters.hit(keys.address, perAddress.windowMs, now)
  await deps.counters.hit(keys.account, perAccount.windowMs, now)
}

const keysOf = ({ email, address }: Attempt) => ({
  pair: `login:${email}:${address}`,
  gate: `login-gate:${email}:${address}`,
  address: `login:${address}`,
  account: `login:${email}`,
})
