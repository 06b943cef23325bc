import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
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

const open = () => openClockGuard({ ...app.deps, now: () => wall, monotonicMs: () => monotonic })
const pass = (ms: number) => {
  wall += ms
  monotonic += ms
}
/** Looks every minute. @returns how many looks it took until the clock was trusted */
async function looksUntilBelieved(look: () => Promise<number | null>): Promise<number> {
  for (let looks = 0; looks < 1000; looks++) {
    if ((await look()) !== null) return looks
    pass(minute)
  }
  throw new Error('never trusted')
}

it('trusts a clock that advances steadily, on a new instance too, and returns its time', async () => {
  const look = open()
  expect(await look()).toBe(wall)
  pass(10 * day)
  wall += 50 * minute
  expect(await look()).toBe(wall)
})

it.each([
  ['+400 days', 400 * day],
  ['-400 days', -400 * day],
  ['+2 hours', 2 * hour],
  ['-2 hours', -2 * hour],
])('does not believe a clock that moved by %s until it was steady for an hour', async (_, moved) => {
  const look = open()
  await look()
  pass(minute)
  wall += moved
  expect(await looksUntilBelieved(look)).toBe(60)
  expect(app.logged.filter(({ level }) => level === 40 || level === 'warn')).toHaveLength(1)
})

it('restarts the hour when the clock moves again', async () => {
  const look = open()
  await look()
  wall += 3 * hour
  expect(await look()).toBeNull()
  pass(50 * minute)
  wall -= 3 * hour
  expect(await looksUntilBelieved(look)).toBe(60)
})

it.each([
  ['400 days later', 400 * day, 60],
  ['three days later', 3 * day, 60],
  ['400 days earlier', -400 * day, 60],
  ['two hours later', 2 * hour, 0],
])('compares with the stored time when a server starts %s', async (_, moved, looks) => {
  await open()()
  wall += moved
  monotonic = 0
  expect(await looksUntilBelieved(open())).toBe(looks)
})

it('does not believe its own clock while another server stores quite another time', async () => {
  const right = open()
  await right()
  wall += 400 * day
  const wrong = open()
  for (let looks = 0; looks < 200; looks++) {
    expect(await wrong()).toBeNull()
    pass(minute)
    wall -= 400 * day
    expect(await right()).toBe(wall)
    wall += 400 * day
  }
})
