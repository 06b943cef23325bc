// Throttles failed logins by account and client address, so that a client cannot lock out an
// account's owner at another address.
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import type { Deps } from '../shared/deps.ts'
import { networksPerSite, siteOf } from '../../concurrency/ipv6-site.ts'
import { countFailures, throttleFailures, tooManyRequests } from '../shared/throttle.ts'

interface Attempt {
  email: string
  /** Of the client. */
  address: string
}

const { perAccountAndAddress, perAddress, perAccount, maxDelayMs } = accountLimits.login

/**
 * After five failures of an address at an account, one attempt is allowed per 1, 2, 4 … 60 seconds;
 * an address with 20 failures waits for the end of its window, and so does an IPv6 site with 320.
 * Running attempts count as failures until they succeed.
 * @param check returns null when the login failed
 * @throws {Failure} too_many_requests
 */
export function limitFailedLogins<T>(
  deps: Pick<Deps, 'counters' | 'now'>,
  attempt: Attempt,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const keys = keysOf(attempt)
  const limitAddress = () =>
    throttleFailures(deps, { key: keys.address, ...perAddress }, () =>
      countFailures(deps, { key: keys.account, ...perAccount }, (account) =>
        countFailures(deps, { key: keys.pair, ...perAccountAndAddress }, async (pair) => {
          if (pair.hits > perAccountAndAddress.limit || account.hits > perAccount.limit)
            await limitRetryRate(deps, keys.retry, pair.hits - 1)
          return check()
        }),
      ),
    )
  const site = siteOf(attempt.address)
  if (site === undefined) return limitAddress()
  const limit = perAddress.limit * networksPerSite
  return throttleFailures(deps, { ...perAddress, key: `login-address:${site}`, limit }, limitAddress)
}

async function limitRetryRate(deps: Pick<Deps, 'counters' | 'now'>, key: string, failures: number): Promise<void> {
  const now = deps.now()
  const delayMs = Math.min(maxDelayMs, 1000 * 2 ** Math.max(0, failures - perAccountAndAddress.limit))
  const retries = await deps.counters.hit(key, delayMs, now)
  if (retries.hits > 1) throw tooManyRequests(retries.endsAt - now)
}

/** The email is arbitrary text that may look like an address, so it is last behind a prefix. */
const keysOf = ({ email, address }: Attempt) => ({
  pair: `login-pair:${address} ${email}`,
  retry: `login-gate:${address} ${email}`,
  address: `login-address:${address}`,
  account: `login-account:${email}`,
})
