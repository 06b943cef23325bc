// What a server often gives away by accident: methods that echo, folders, the repository, a second meaning of a parameter.
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** Written as it stands: no client of ours would send it. */
async function sayRaw(head: string): Promise<string> {
  const { port } = new URL(app.url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.end(`${head}\r\nHost: ${new URL(app.url).host}\r\nX-Secret: hush\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

describe('a method that nobody has', () => {
  it.each(['TRACE /', 'TRACE /api/me', 'TRACE /uploads/x.png'])('%s is refused and echoes nothing', async (method) => {
    const answer = await sayRaw(`${method} HTTP/1.1`)
    expect(answer).toMatch(/^HTTP\/1\.1 40[45] /)
    expect(answer).not.toContain('hush')
  })

  it('CONNECT leads nowhere', async () => {
    expect(await sayRaw('CONNECT 127.0.0.1:22 HTTP/1.1')).not.toContain('HTTP/1.1 2')
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
    const answer = await sayRaw(`GET ${path} HTTP/1.1`)
    // The page, which says that there is nothing, or a refusal.
    expect(answer).toMatch(/^HTTP\/1\.1 (40[04] |200 OK\r\n(?:.*\r\n)*content-type: text\/html)/)
    expect(answer).not.toMatch(/\[core\]|"dependencies"|import |SQLite format|root:/)
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
