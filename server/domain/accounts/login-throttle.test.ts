import { beforeEach, describe, expect, it } from 'vitest'
import type { Deps } from '../shared/deps.ts'
import { memoryCounters } from '../shared/rate-counters.ts'
import { limitFailedLogins } from './login-throttle.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs

let now: number
let deps: Deps
beforeEach(() => {
  now = Date.parse('2026-01-01')
  deps = { counters: memoryCounters(), now: () => now } as Partial<Deps> as Deps
})

/** @returns whether the password was looked at */
async function attempt(email: string, address: string, isRight = false): Promise<boolean> {
  try {
    await limitFailedLogins(deps, { email, address }, async () => (isRight ? true : null))
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'too_many_requests', retryAfterS: expect.any(Number) })
    return false
  }
}

async function looked(times: number, email: (n: number) => string, address: (n: number) => string): Promise<number> {
  let count = 0
  for (let n = 0; n < times; n++) if (await attempt(email(n), address(n))) count++
  return count
}
const ada = () => 'ada@example.com'
const home = () => '198.51.100.1'

describe('failed logins', () => {
  it('of one address at one account are limited to five, then one per 1, 2, 4 … seconds until the window ends', async () => {
    expect(await looked(5, ada, home)).toBe(5)
    // The first after the five is looked at and starts the delay; each that is looked at doubles it.
    for (const delayS of [1, 2, 4, 8, 16, 32, 60, 60, 60]) {
      expect(await attempt(ada(), home()), `before ${delayS} s`).toBe(true)
      now += delayS * secondMs - 1
      expect(await attempt(ada(), home()), `within ${delayS} s`).toBe(false)
      now += 1
    }
    now += 15 * minuteMs
    expect(await looked(6, ada, home)).toBe(6)
  })

  it('of one address are limited to twenty in 15 minutes over all accounts, then also right passwords are refused', async () => {
    expect(await looked(30, (n) => `u${n}@example.com`, home)).toBe(20)
    expect(await attempt('other@example.com', home(), true)).toBe(false)
    now += 15 * minuteMs
    expect(await attempt('other@example.com', home(), true)).toBe(true)
  })

  it('of one account are limited to a hundred a day, then one per second from each address', async () => {
    expect(await looked(100, ada, (n) => `198.51.100.${n}`)).toBe(100)
    expect(await attempt(ada(), '203.0.113.1')).toBe(true)
    expect(await attempt(ada(), '203.0.113.1')).toBe(false)
    now += secondMs
    expect(await attempt(ada(), '203.0.113.1')).toBe(true)
    now += 24 * 60 * minuteMs
    expect(await looked(5, ada, () => '203.0.113.1')).toBe(5)
  })

  it('of other clients never lock its owner out', async () => {
    for (let n = 0; n < 2000; n++) await attempt(ada(), `stranger-${n}`)
    for (let n = 0; n < 10; n++) {
      expect(await attempt(ada(), 'home', true)).toBe(true)
      now += secondMs
    }
  })

  it('with a name that looks like the key of another address do not count for that address', async () => {
    const spelled = [home(), `address:${home()}`, `${home()} ${ada()}`, `${ada()}:${home()}`, `gate:${home()} ${ada()}`]
    for (const email of spelled)
      await looked(
        150,
        () => email,
        (n) => `203.0.113.${n}`,
      )
    expect(await looked(5, ada, home)).toBe(5)
  })

  it('are not affected by successful logins', async () => {
    for (let n = 0; n < 50; n++) expect(await attempt(ada(), home(), true)).toBe(true)
    expect(await looked(5, ada, home)).toBe(5)
  })
})
