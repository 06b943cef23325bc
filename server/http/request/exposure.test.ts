// Servers often disclose these by accident: methods that echo, folders, the repository, repeated
// parameters with two meanings.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { type RawResponse, sendRaw } from '../../testing/raw-http.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const secret = 'hush'

/** Sends the request line unchanged: HTTP clients would normalize it. */
async function sendRequestLine(requestLine: string): Promise<RawResponse> {
  const head = `${requestLine} HTTP/1.1\r\nHost: ${new URL(app.url).host}\r\nX-Secret: ${secret}\r\nConnection: close\r\n\r\n`
  const responses = await sendRaw(app.url, head)
  expect(responses).toHaveLength(1)
  return responses[0] as RawResponse
}

// CONNECT: broken-requests.test.ts.
describe('the method TRACE', () => {
  it.each(['TRACE /', 'TRACE /api/me', 'TRACE /uploads/x.png'])('is refused and echoes nothing: %s', async (line) => {
    const response = await sendRequestLine(line)
    expect([404, 405]).toContain(response.status)
    expect(JSON.stringify(response)).not.toContain(secret)
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
  ])('%s does not serve a file of the server', async (path) => {
    const { status, headers, body } = await sendRequestLine(`GET ${path}`)
    // An error, or the page, which shows "not found".
    expect([200, 400, 404]).toContain(status)
    if (status === 200) expect(headers['content-type']).toContain('text/html')
    expect(JSON.stringify(body)).not.toMatch(/\[core\]|"dependencies\\?"|import |SQLite format|root:/)
  })

  it.each(['/assets/', '/assets', '/uploads/', '/uploads', '/api/', '/db/'])('%s lists no folder', async (path) => {
    const response = await app.call('GET', path)
    expect([response.status, response.body.code]).toEqual([404, expect.stringMatching(/_not_found$/)])
  })
})

it('a repeated query parameter is refused', async () => {
  const { token } = await app.newUser()
  const response = await app.call('GET', '/api/images?limit=1&limit=2', { token })
  expect([response.status, response.body.code]).toEqual([400, 'invalid_input'])
})
