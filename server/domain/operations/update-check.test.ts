import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayMs } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { checkForUpdate, findNewerVersion, isNewer } from './update-check.ts'

let body = '{}'
let requests = 0
const releases = createServer((_, response) => {
  requests++
  response.end(body)
})
let app: TestApp
let now: number
beforeAll(async () => {
  await once(releases.listen(0, '127.0.0.1'), 'listening')
  const { port } = releases.address() as AddressInfo
  app = await startTestApp({ UPDATE_CHECK: `http://127.0.0.1:${port}/latest` })
  now = app.deps.now()
})
afterAll(async () => {
  await app.stop()
  releases.close()
})

const checkTheNextDay = async () => {
  now += dayMs
  await checkForUpdate(app.deps, now)
  return findNewerVersion(app.deps)
}

it.each([
  ['{"version":"99.0.0","dist":{}}', '99.0.0'],
  ['{"tag_name":"v99.1.0","html_url":"https://example.com"}', '99.1.0'],
  ['{"version":"0.0.1"}', null],
  [`{"version":"0.2.0"}`, null],
])('a response of %s: the newer version is %s', async (text, newer) => {
  body = text
  expect(await checkTheNextDay()).toBe(newer)
})

it.each([
  ['0.3.0', '0.2.9', true],
  ['0.10.0', '0.9.0', true],
  ['0.3.0', '0.3.0', false],
  ['0.2.9', '0.3.0', false],
  ['0.3.0', '0.3.0-dev+1a2b3c4d', true],
  ['0.2.9', '0.3.0-dev', false],
])('%s is newer than %s: %s', (version, than, expected) => {
  expect(isNewer(version, than)).toBe(expected)
})

it.each([
  'not JSON',
  '{"version":"<script>"}',
  '{"version":"1.2.3-beta.1"}',
  JSON.stringify({ version: 'x'.repeat(2 ** 21) }),
])('an unusable response is logged, and the last version that was found stays', async (text) => {
  body = '{"version":"99.0.0"}'
  await checkTheNextDay()
  body = text
  const before = app.logged.length
  expect(await checkTheNextDay()).toBe('99.0.0')
  expect(app.logged.slice(before)).toMatchObject([{ level: 40, msg: expect.stringContaining('UPDATE_CHECK: ') }])
})

it('sends one request a day', async () => {
  await checkTheNextDay()
  const before = requests
  await checkForUpdate(app.deps, now + 20 * 60 * 60 * 1000)
  expect(requests).toBe(before)
  await checkTheNextDay()
  expect(requests).toBe(before + 1)
})

it('without UPDATE_CHECK sends none, and reports no newer version', async () => {
  body = '{"version":"99.0.0"}'
  expect(await checkTheNextDay()).toBe('99.0.0')
  const deps = { ...app.deps, config: { ...app.deps.config, UPDATE_CHECK: undefined } }
  const before = requests
  await checkForUpdate(deps, now + 2 * dayMs)
  expect(requests).toBe(before)
  expect(await findNewerVersion(deps)).toBeNull()
})
