// Measures whether the time of a failed login reveals which accounts exist: known and unknown
// addresses, over HTTP.
import { withServer } from './resources.ts'
import { requestJson } from './request-json.ts'
import { alternate, timesRow } from './figures.ts'
import type { Form, Part, Row } from './part.ts'

const shape = { short: { accounts: 4, rounds: 8 }, full: { accounts: 400, rounds: 2000 } } as const
/** Goal of docs/security.md, "Measured": the medians of known and unknown accounts. */
const maxDifferenceMs = 5

export const part: Part = {
  name: 'login-timing',
  title: 'logins with a wrong password, of known and unknown accounts',
  run: async (form) => [{ rows: await measure(form) }],
}

/**
 * Rotates through the accounts, with a client address per attempt so that no login is throttled.
 */
function measure(form: Form): Promise<Row[]> {
  const { accounts, rounds } = shape[form]
  return withServer({ env: { TRUST_PROXY: '1' } }, async ({ url }) => {
    for (let n = 0; n < accounts; n++) {
      const body = { email: known(n), password: 'secret-1' }
      await requestJson(url, '/api/register', { body, headers: addressOf(n), status: 201 })
    }
    let tries = 0
    const attempt = (email: (n: number) => string) => async () => {
      const n = tries++
      // Known and unknown attempts alternate: each uses every account.
      const body = { email: email(Math.floor(n / 2) % accounts), password: 'wrong-1' }
      await requestJson(url, '/api/login', { body, headers: addressOf(n), status: 401 })
    }
    const times = await alternate([attempt(known), attempt(unknown)], rounds)
    const rows = ['known', 'unknown'].map((name, n) => timesRow(name, times[n] ?? []))
    const difference = Math.abs((rows[0]?.median ?? 0) - (rows[1]?.median ?? 0))
    return [
      ...rows,
      { what: 'difference of the medians', unit: 'ms', median: difference, goal: { atMost: maxDifferenceMs } },
    ]
  })
}

const known = (n: number) => `known-${n}@example.com`
const unknown = (n: number) => `unknown-${n}@example.com`
const addressOf = (n: number) => ({ 'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` })
