// What the log line of a request contains, and what it must not contain.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pino } from 'pino'
import * as pagePaths from '../../../contract/plain/page-paths.ts'
import { type CompatName, compatAliasRoutes, compatRoutes } from '../../../contract/compat/routes.ts'
import { routes } from '../../../contract/plain/routes.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'
import { redactPath } from './redact-path.ts'
import { createRequestLog } from './request-log.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ DB_VIEW_PIN: '1234' })
})
afterAll(() => app.stop())

/** The log line of the latest request to this path. */
async function lineOf(path: string): Promise<Record<string, unknown>> {
  await expect.poll(() => app.logged.some((line) => line['path'] === path)).toBe(true)
  return app.logged.findLast((line) => line['path'] === path) ?? {}
}

it('has the account, address, time and id of a login, and the code of a refused one', async () => {
  const { id, email } = await app.newUser()
  const login = await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })
  expect(login.status).toBe(200)
  expect(await lineOf('/api/login')).toMatchObject({ method: 'POST', status: 200, user: id, address: '127.0.0.1' })
  expect((await lineOf('/api/login'))['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect((await lineOf('/api/login'))['reqId']).toBe(login.headers.get('x-request-id'))

  app.logged.length = 0
  await app.call('POST', '/api/login', { body: { email, password: 'wrong' } })
  const refused = await lineOf('/api/login')
  expect(refused).toMatchObject({ status: 401, code: 'wrong_credentials' })
  expect(refused).not.toHaveProperty('user')
  expect(JSON.stringify(app.logged)).not.toContain(email)
})

it('has the account of a refused request, and of a wrong PIN', async () => {
  const { id, token } = await app.newUser()
  await app.call('GET', '/api/database/stats', { token })
  expect(await lineOf('/api/database/stats')).toMatchObject({ status: 403, code: 'forbidden', user: id })
  await app.call('POST', '/db/unlock', { token, body: { pin: '4321' } })
  expect(await lineOf('/db/unlock')).toMatchObject({ code: 'wrong_pin', user: id })
})

it('has the API key and its user, and no account for a guest', async () => {
  const { id, token } = await app.newUser()
  const { body: key } = await app.call('POST', '/api/api-keys', { token, body: {} })
  const picture = await jpeg(8, 8)
  await app.upload(picture, { token: key.key })
  expect(await lineOf('/api/upload')).toMatchObject({ status: 201, user: id, key: key.id })
  app.logged.length = 0
  await app.upload(picture)
  const ofGuest = await lineOf('/api/upload')
  expect([ofGuest['status'], 'user' in ofGuest, 'key' in ofGuest]).toEqual([201, false, false])
})

const aKey = `ik_${'Abc1234'.repeat(7)}`

it.each([
  `/api/${aKey}`,
  `/api/key=${aKey}`,
  `/kik_/${aKey}`,
  `/k${aKey}/api/upload`,
  `/api/%69k_${aKey.slice(3)}`,
  `/x%2Fk%2F${aKey}/%zz%FC`,
  `/k%252F${aKey}%252Fapi`,
  `/d/image/${aKey}`,
  `/api/${aKey.slice(0, 30)}`,
])('of %s has no API key', (path) => {
  expect(redactPath(path)).toContain('***')
  expect(redactPath(path)).not.toContain(aKey.slice(4, 24))
})

it.each([
  '/uploads/ik_cdEfGhIjKlMnOpQrSt.jpg',
  '/uploads/harbour-Ab-ik_cdEfGhIjKlMnOpQr.jpg',
  '/api/images/abcdefghijklmnopqrsik_',
  '/a%20b/%zz',
])('of %s has the whole path, although an id may contain ik_', (path) => {
  expect(redactPath(path)).toBe(path)
})

/** Parameters of paths that name things; whoever knows them may do no more than before. */
const names =
  `albumId caseId deliveryId extension file_name height id key memberId name page provider quality slug userId
  username width`.split(/\s+/)
/** Parameters that are secrets, as the server makes them. */
const secret = 'Abc_1234'.repeat(5)
const secrets: Record<string, string> = { hash: `${'q7Xn2vTf'.repeat(3).slice(2)}.${secret}`, token: secret }
/** Of routes whose id is the secret. */
const secretIds = [routes.continueUpload, routes.getUpload, routes.deleteUpload] as readonly string[]

it.each([
  ...Object.values(routes),
  ...(Object.keys(compatRoutes) as CompatName[]).flatMap((name) => [compatRoutes[name], ...compatAliasRoutes(name)]),
  ...Object.values(pagePaths).filter((path) => typeof path === 'string'),
])('of %s has no secret', (route) => {
  const path = route.replace(/^\w+ /, '').replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = secretIds.includes(route) ? secret : secrets[name]
    if (value === undefined) expect(names).toContain(name)
    return value ?? name
  })
  expect(redactPath(path)).not.toContain(secret)
})

it('has the id of the image that a request uploads, shows or refuses to delete', async () => {
  const image = await app.guestImage(await jpeg(8, 8))
  expect(await lineOf('/api/upload')).toMatchObject({ status: 201, image: image.id })
  for (const [method, path, status] of [
    ['GET', `/uploads/${image.file_name}`, 200],
    ['GET', `/api/resize/${image.id}/5`, 200],
    ['DELETE', `/api/images/${image.id}`, 401],
  ] as const) {
    await app.request(path, { method })
    expect(await lineOf(path), path).toMatchObject({ method, status, image: image.id })
  }
})

it('has the id of the backup that a request takes or downloads, not of a document', async () => {
  const { id, email } = await app.newUser()
  await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute()
  const { body: login } = await app.call('POST', '/api/login', { body: { email, password: 'secret-1' } })
  const { token } = login
  const { body } = await app.call('POST', '/api/database/backup', { token })
  expect(await lineOf('/api/database/backup')).toMatchObject({ backup: body.backupId })
  const download = `/api/database/backups/${body.backupId}/download`
  await app.call('GET', download, { token })
  expect(await lineOf(download)).toMatchObject({ backup: body.backupId })
  const status = async () => (await app.call('GET', '/api/database/backups', { token })).body.backups[0].status
  await expect.poll(status, { timeout: 15_000 }).toBe('completed')
  const { body: link } = await app.call('POST', `/api/database/backups/${body.backupId}/link`, { token })
  const ticket = new FormData()
  ticket.set('ticket', link.ticket)
  await (await app.request(link.url, { method: 'POST', body: ticket })).arrayBuffer()
  expect(await lineOf('/api/database/archive')).toMatchObject({ status: 200, backup: body.backupId })

  const document = '/db/collections/users/documents/1234567890123456789012'
  await app.call('GET', document, { token })
  const line = await lineOf(document)
  expect(['image' in line, 'backup' in line]).toEqual([false, false])
})

const form = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nxxxx'
it.each([
  ['a JSON body', '/api/login', 'application/json', '{"email":', 'malformed_request'],
  ['an upload', '/api/upload', 'multipart/form-data; boundary=b', form, 'malformed_upload'],
  [
    'a contact form',
    '/api/v1.0/email/send-form',
    'multipart/form-data; boundary=b',
    form.slice(0, 60),
    'malformed_upload',
  ],
])(
  'has a client that disconnects during %s as a 400, not as an error of the server',
  async (_, path, type, sent, code) => {
    for (const leave of ['destroy', 'resetAndDestroy'] as const) {
      app.logged.length = 0
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 60000\r\n`
      socket.write(`${head}Expect: 100-continue\r\n\r\n`)
      await once(socket, 'data')
      await new Promise((written) => socket.write(sent, written))
      socket[leave]()
      expect(await lineOf(path), leave).toMatchObject({ method: 'POST', status: 400, code, level: 30 })
      expect(app.logged.filter(({ level }) => Number(level) >= 50)).toEqual([])
      // The parser may have logged an error of the connection, without a path.
      expect(app.logged.filter((line) => line['path'] === path)).toHaveLength(1)
    }
  },
)

it('has no query, and a line break in the path does not start another log line', async () => {
  await app.call('GET', '/api/nothing%0a{"level":60}?token=secret')
  await expect.poll(() => app.logged.some(({ code }) => code === 'endpoint_not_found')).toBe(true)
  const lines = JSON.stringify(app.logged)
  expect(lines).not.toContain('token=secret')
  expect(app.logged.filter(({ level }) => level === 60)).toEqual([])
})

it.each([
  ['all', [200, 304, 404, 503], [200, 500]],
  ['errors', [404, 503], [200, 500]],
  ['off', [], [200, 500]],
] as const)('LOG_PICTURES=%s decides which requests for images have a line', (LOG_PICTURES, ofImages, ofOthers) => {
  const statuses = { image: [] as number[], other: [] as number[] }
  const log = pino(
    {},
    { write: (line) => void statuses[JSON.parse(line).path as 'image'].push(JSON.parse(line).status) },
  )
  const { config, addressKey } = app.deps
  const logRequest = createRequestLog({ config: { ...config, LOG_PICTURES }, addressKey }, log)
  const line = { reqId: '1', method: 'GET', ms: 1, address: undefined }
  for (const status of [200, 304, 404, 503]) logRequest({ ...line, path: 'image', status, isImage: true }, {})
  for (const status of [200, 500]) logRequest({ ...line, path: 'other', status, isImage: false }, {})
  expect(statuses).toEqual({ image: ofImages, other: ofOthers })
})

it('has no line of a sent image with LOG_PICTURES=errors, from the hot cache neither', async () => {
  const quiet = await startTestApp({ LOG_PICTURES: 'errors' })
  try {
    const { file_name: name } = await quiet.guestImage(await jpeg(8, 8))
    quiet.logged.length = 0
    for (let n = 0; n < 3; n++) expect((await quiet.request(`/uploads/${name}`)).status).toBe(200)
    expect((await quiet.request('/uploads/missing.jpg')).status).toBe(404)
    await expect.poll(() => quiet.logged.map(({ status }) => status)).toEqual([404])
  } finally {
    await quiet.stop()
  }
})
