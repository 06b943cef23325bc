import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { openClockGuard } from './clock-guard.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let app: TestApp
let wall: number
let monotonic: number
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  wall = Date.UTC(2026, 10, 1)
  monotonic = 5 * day
  app.logged.length = 0
  await app.deps.db.deleteFrom('settings').where('name', '=', 'clock').execute()
})

const open = () => openClockGuard({ ...app.deps, now: () => wall }, () => monotonic)
const pass = (ms: number) => {
  wall += ms
  monotonic += ms
}
/** Checks every minute. @returns the number of checks until the clock was trusted */
async function checksUntilTrusted(check: () => Promise<number | null>): Promise<number> {
  for (let checks = 0; checks < 1000; checks++) {
    if ((await check()) !== null) return checks
    pass(minute)
  }
  throw new Error('never trusted')
}

it('trusts a clock that drifts by less than an hour, also without a stored time, and returns its time', async () => {
  const check = open()
  expect(await check()).toBe(wall)
  pass(10 * day)
  wall += 50 * minute
  expect(await check()).toBe(wall)
})

it.each([
  ['+400 days', 400 * day],
  ['-400 days', -400 * day],
  ['+2 hours', 2 * hour],
  ['-2 hours', -2 * hour],
])('distrusts a clock that moved by %s until it has been steady for an hour', async (_, moved) => {
  const check = open()
  await check()
  pass(minute)
  wall += moved
  expect(await checksUntilTrusted(check)).toBe(60)
  expect(app.logged.filter(({ level }) => level === 40 || level === 'warn')).toHaveLength(1)
})

it('restarts the hour when the clock moves again', async () => {
  const check = open()
  await check()
  wall += 3 * hour
  expect(await check()).toBeNull()
  pass(50 * minute)
  wall -= 3 * hour
  expect(await checksUntilTrusted(check)).toBe(60)
})

it.each([
  ['400 days later', 400 * day, 60],
  ['three days later', 3 * day, 60],
  ['400 days earlier', -400 * day, 60],
  ['two hours later', 2 * hour, 0],
])('compares with the stored time when a server starts %s', async (_, moved, checks) => {
  await open()()
  wall += moved
  monotonic = 0
  expect(await checksUntilTrusted(open())).toBe(checks)
})

it('distrusts its own clock while another server stores a different time', async () => {
  const right = open()
  await right()
  wall += 400 * day
  const wrong = open()
  for (let checks = 0; checks < 200; checks++) {
    expect(await wrong()).toBeNull()
    pass(minute)
    wall -= 400 * day
    expect(await right()).toBe(wall)
    wall += 400 * day
  }
})
