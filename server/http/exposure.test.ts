// What a server often gives away by accident: methods that echo, folders, the repository, a second meaning of a parameter.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { type RawAnswer, sendRaw } from '../testing/raw-http.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const secret = 'hush'

/** Written as it stands: no client of ours would send it. */
async function sayRaw(request: string): Promise<RawAnswer> {
  const head = `${request} HTTP/1.1\r\nHost: ${new URL(app.url).host}\r\nX-Secret: ${secret}\r\nConnection: close\r\n\r\n`
  const answers = await sendRaw(app.url, head)
  expect(answers).toHaveLength(1)
  return answers[0] as RawAnswer
}

// CONNECT: broken-requests.test.ts.
describe('a method that nobody has', () => {
  it.each(['TRACE /', 'TRACE /api/me', 'TRACE /uploads/x.png'])('%s is refused and echoes nothing', async (request) => {
    const answer = await sayRaw(request)
    expect([404, 405]).toContain(answer.status)
    expect(JSON.stringify(answer)).not.toContain(secret)
  })
})

describe('a path', () => {
  it.each([
    '/.git/config',
    '/.env',
    '/package.json',
    '/server/app.ts',
    '/jwt-secret',
    '/image-host.sqlite',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/uploads/..%2f..%2fjwt-secret',
    '//etc/passwd',
  ])('%s leads to no file of the machine', async (path) => {
    const { status, headers, body } = await sayRaw(`GET ${path}`)
    // The page, which says that there is nothing, or a refusal.
    expect([200, 400, 404]).toContain(status)
    if (status === 200) expect(headers['content-type']).toContain('text/html')
    expect(JSON.stringify(body)).not.toMatch(/\[core\]|"dependencies\\?"|import |SQLite format|root:/)
  })

  it.each(['/assets/', '/assets', '/uploads/', '/uploads', '/api/', '/db/'])('%s lists no folder', async (path) => {
    const answer = await app.call('GET', path)
    expect([answer.status, answer.body.code]).toEqual([404, expect.stringMatching(/_not_found$/)])
  })
})

it('a parameter that comes twice is refused, not chosen from', async () => {
  const { token } = await app.newUser()
  const answer = await app.call('GET', '/api/images?limit=1&limit=2', { token })
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_input'])
})
