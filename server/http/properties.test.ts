// Whatever JSON stands in whatever field: a clear refusal or an honest answer, never a fault of ours.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type RouteName, routes } from '../../contract/routes.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'

/** Enough to meet every JSON type in every field. The same in each run: a failure here is a change's, not chance's. */
const runs = 30
const seed = 20_261_121

let app: TestApp
let token: string
let dbToken: string
beforeAll(async () => {
  app = await startTestApp({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'boss-secret', DB_VIEW_PIN: '1234' })
  const login = { email: 'boss@example.com', password: 'boss-secret' }
  token = (await app.call('POST', '/api/login', { body: login })).body.token
  dbToken = (await app.call('POST', '/db/unlock', { token, body: { pin: '1234' } })).body.token
})
afterAll(() => app.stop())

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\0',
    '\ud800',
    'x'.repeat(5000),
    "' or 1=1 --",
    '%',
    '../../etc/passwd',
    '<script>',
    0,
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER,
    true,
    null,
    [],
    {},
    [[]],
    { $gt: '' },
    { constructor: { prototype: { polluted: true } } },
  ),
)

/** Ends the session that the others need, or makes work that outlives its call. */
const left: RouteName[] = ['logout', 'logoutEverywhere', 'lockDatabase', 'startBackup']
const names = (Object.keys(routes) as RouteName[]).filter((name) => !left.includes(name))

describe.each(names)('%s', (name) => {
  const endpoint: Endpoint = api[name]
  const [method = '', template = ''] = routes[name].split(' ')
  const fieldsOf = (schema: z.ZodType | undefined) => Object.keys((schema as z.ZodObject | undefined)?.shape ?? {})
  const bodyFields = endpoint.upload ? [] : fieldsOf(endpoint.body)

  const body =
    bodyFields.length === 0
      ? fc.option(odd)
      : fc.oneof(odd, fc.record(Object.fromEntries(bodyFields.map((field) => [field, odd])), { requiredKeys: [] }))
  const texts = (fields: string[]) =>
    fc.record(
      Object.fromEntries(
        fields.map((field) => [
          field,
          fc.oneof(
            fc.string(),
            odd.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
            fc.integer().map(String),
          ),
        ]),
      ),
      {
        requiredKeys: fields,
      },
    )

  it('never fails by our fault', async () => {
    await fc.assert(
      fc.asyncProperty(
        texts(fieldsOf(endpoint.params)),
        texts(fieldsOf(endpoint.query)),
        body,
        async (params, query, sent) => {
          const path = template.replace(/\{(\w+)\}/g, (_, hole: string) => encode(params[hole] ?? ''))
          const search = Object.entries(query).map(([key, value]) => `${encode(key)}=${encode(value)}`)
          const canHaveBody = endpoint.body && !endpoint.upload && !endpoint.form
          const answer = await app.call(method, search.length === 0 ? path : `${path}?${search.join('&')}`, {
            token,
            headers: { 'x-db-token': dbToken },
            ...(canHaveBody ? { body: JSON.stringify(sent) ?? 'null' } : {}),
          })
          expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).toBeLessThan(500)
        },
      ),
      { numRuns: runs, seed },
    )
    expect(({} as { polluted?: boolean }).polluted).toBe(undefined)
  })
})

/** As a URL carries it; half a surrogate pair cannot be written in one. */
const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString())
