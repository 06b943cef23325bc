import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayMs } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { ensurePin, resetPin } from './database-pin.ts'
import { lockedUntil } from './pin-throttle.ts'

const minuteMs = 60_000

describe('lockedUntil', () => {
  const tries = (count: number) => Array.from({ length: count }, (_, index) => index)
  it.each([
    [0, 0],
    [4, 0],
    [5, 4 + 15 * minuteMs],
    [9, 4 + 15 * minuteMs],
    [10, 9 + 30 * minuteMs],
    [15, 14 + 60 * minuteMs],
    [40, 39 + dayMs],
    [500, 499 + dayMs],
  ])('returns the end of the lock after %i wrong attempts', (count, expected) => {
    expect(lockedUntil(tries(count))).toBe(expected)
  })
})

describe('the PIN', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ DB_VIEW_PIN: '4711' })
  })
  beforeEach(async () => {
    await resetPin(app.deps)
  })
  afterAll(() => app.stop())

  const unlock = (token: string, pin: string) => app.call('POST', '/db/unlock', { token, body: { pin } })
  const newAdmin = async () => {
    const user = await app.newUser()
    await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', user.id).execute()
    return user
  }
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)
  const wrong = async (token: string, times: number) => {
    const seen: number[] = []
    for (let time = 0; time < times; time++) seen.push((await unlock(token, '0000')).status)
    return seen
  }

  it('locks after five wrong ones for 15 minutes, then for 30, and resets after a correct one', async () => {
    const { token } = await app.newUser()
    expect(await wrong(token, 6)).toEqual([403, 403, 403, 403, 403, 429])
    const locked = await unlock(token, '4711')
    expect(locked).toMatchObject({ status: 429, body: { code: 'pin_locked' } })
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
    expect(Number(locked.headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60)

    app.moveClock(15 * minuteMs)
    expect(await wrong(token, 6)).toEqual([403, 403, 403, 403, 403, 429])
    app.moveClock(15 * minuteMs)
    expect((await unlock(token, '4711')).status).toBe(429)
    app.moveClock(15 * minuteMs)
    expect((await unlock(token, '4711')).status).toBe(200)
    expect(await wrong(token, 6)).toEqual([403, 403, 403, 403, 403, 429])
    app.moveClock(15 * minuteMs)
    expect((await unlock(token, '4711')).status).toBe(200)
  })

  it('applies to a user across sessions', async () => {
    const user = await app.newUser()
    const { body } = await app.call('POST', '/api/login', { body: { email: user.email, password: 'secret-1' } })
    await wrong(user.token, 5)
    expect((await unlock(body.token, '4711')).status).toBe(429)
    expect((await unlock((await app.newUser()).token, '4711')).status).toBe(200)
  })

  it('allows five of thirty concurrent attempts', async () => {
    const { token } = await app.newUser()
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => unlock(token, String(n).padStart(4, '0'))))
    expect(statuses(answers)).toEqual([...Array(5).fill(403), ...Array(25).fill(429)])
  })

  it('is limited over all servers of one database', async () => {
    const { DATABASE_URL: url, JWT_SECRET: secret } = app.deps.config
    // An SQLite file has one server.
    if (url === undefined || secret === undefined) return
    const other = await startTestApp({ DB_VIEW_PIN: '4711', DATABASE_URL: url, JWT_SECRET: secret })
    // The tests before have moved the clock of one of them: a token from the future is refused.
    other.moveClock(app.deps.now() - other.deps.now())
    try {
      const { token } = await app.newUser()
      const tries = Array.from({ length: 20 }, () => ({ token, body: { pin: '0000' } }))
      const answers = await Promise.all(
        tries.map((options, n) => (n % 2 === 0 ? app : other).call('POST', '/db/unlock', options)),
      )
      expect(statuses(answers)).toEqual([...Array(5).fill(403), ...Array(15).fill(429)])

      const second = await app.newUser()
      const { body } = await unlock(second.token, '4711')
      const options = { token: second.token, headers: { 'x-db-token': body.token } }
      expect((await other.call('GET', '/db/collections', options)).status).toBe(200)
      expect((await other.call('POST', '/db/lock', options)).status).toBe(200)
      expect((await app.call('GET', '/db/collections', options)).status).toBe(401)
    } finally {
      await other.stop()
    }
  })

  const logIn = async ({ email }: { email: string }) =>
    (await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })).body.token as string
  /** Twenty wrong PINs of four new users. */
  const closeToAll = async () => {
    for (let n = 0; n < 4; n++) expect(await wrong((await app.newUser()).token, 5)).toEqual(Array(5).fill(403))
  }

  it('is closed to non-admins for a day after twenty wrong attempts in a day, but not to admins', async () => {
    const [admin, user] = [await newAdmin(), await app.newUser()]
    await wrong(admin.token, 4)
    await closeToAll()
    const closed = await unlock(user.token, '4711')
    expect(closed).toMatchObject({
      status: 429,
      body: { code: 'pin_off', error: expect.stringContaining('in 24 hours') },
    })
    expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(23 * 60 * 60)
    app.moveClock(dayMs - minuteMs)
    expect((await unlock(user.token, '4711')).status).toBe(429)
    expect((await unlock(admin.token, '4711')).status).toBe(200)
    app.moveClock(minuteMs)
    expect((await unlock(user.token, '4711')).status).toBe(200)
  })

  it('is closed for twice as long each time, up to 16 days, and for a day again after a quiet time', async () => {
    const user = await app.newUser()
    const hoursClosed = async () => {
      await closeToAll()
      const { headers } = await unlock(await logIn(user), '4711')
      const closedMs = 1000 * Number(headers.get('retry-after'))
      app.moveClock(closedMs)
      return Math.round(closedMs / (60 * minuteMs))
    }
    const days: number[] = []
    for (let n = 0; n < 6; n++) days.push((await hoursClosed()) / 24)
    expect(days).toEqual([1, 2, 4, 8, 16, 16])
    app.moveClock(17 * dayMs)
    expect(await hoursClosed()).toBe(24)
  })

  it('is open again after a reset, and on a database that an older version has closed', async () => {
    const user = await app.newUser()
    await closeToAll()
    expect((await unlock(user.token, '4711')).status).toBe(429)
    expect(await resetPin(app.deps)).toBeNull()
    expect((await unlock(user.token, '4711')).status).toBe(200)
    await app.deps.db.updateTable('settings').set({ value: 'off' }).where('name', '=', 'database_pin_gate').execute()
    expect((await unlock(user.token, '4711')).status).toBe(200)
  })

  it('allows twenty attempts of many concurrent users', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => app.newUser()))
    const answers = await Promise.all(users.flatMap(({ token }) => [1, 2, 3, 4].map(() => unlock(token, '0000'))))
    expect(statuses(answers)).toEqual([...Array(20).fill(403), ...Array(20).fill(429)])
  })

  it('does not count attempts of the previous day, unless there were twenty', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => app.newUser()))
    for (const { token } of users) await wrong(token, 4)
    app.moveClock(dayMs)
    for (const { email } of users) {
      const { body } = await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })
      await wrong(body.token, 1)
    }
    expect((await unlock((await app.newUser()).token, '4711')).status).toBe(200)
  })

  it('locks each admin separately', async () => {
    const [one, two] = [await newAdmin(), await newAdmin()]
    expect(await wrong(one.token, 6)).toEqual([403, 403, 403, 403, 403, 429])
    expect((await unlock(two.token, '4711')).status).toBe(200)
  })

  it('locks unlocked sessions when it is reset', async () => {
    const { token } = await app.newUser()
    const { body } = await unlock(token, '4711')
    const list = () => app.call('GET', '/db/collections', { token, headers: { 'x-db-token': body.token } })
    expect((await list()).status).toBe(200)
    await resetPin(app.deps)
    expect((await list()).status).toBe(401)
  })

  it('never reaches the log', () => {
    // As a separate value: the same digits may occur in a time or an id.
    expect(JSON.stringify(app.logged)).not.toMatch(/[": ]4711[", }]/)
  })
})

describe('without DB_VIEW_PIN', () => {
  it('is created once, stored as a hash, and replaced by resetPin', async () => {
    const app = await startTestApp()
    try {
      const { token } = await app.newUser()
      const unlock = (pin: string) => app.call('POST', '/db/unlock', { token, body: { pin } })
      expect(await ensurePin(app.deps)).toBeNull()
      const kept = () =>
        app.deps.db.selectFrom('settings').selectAll().where('name', '=', 'database_pin_hash').execute()
      expect(await kept()).toMatchObject([{ value: expect.stringContaining('$argon2id$') }])

      const pin = await resetPin(app.deps)
      expect(pin).toMatch(/^\d{4}$/)
      expect((await unlock(pin ?? '')).status).toBe(200)
      expect((await unlock(pin === '0000' ? '0001' : '0000')).status).toBe(403)

      await app.deps.db.deleteFrom('settings').where('name', '=', 'database_pin_hash').execute()
      const made = await Promise.all([ensurePin(app.deps), ensurePin(app.deps)])
      const [shown, ...more] = made.filter((one) => one !== null)
      expect(more).toEqual([])
      expect((await unlock(shown ?? '')).status).toBe(200)
    } finally {
      await app.stop()
    }
  })
})
