// Random JSON in every field of every endpoint never causes a 5xx response.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { api } from '../../../contract/endpoints/api.ts'
import type { Endpoint } from '../../../contract/endpoints/endpoint.ts'
import { type RouteName, routes } from '../../../contract/plain/routes.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

/** Enough for every JSON type in every field. The fixed seed makes failures reproducible. */
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

const oddValue = fc.oneof(
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

/** They end the session of the other tests, or start work that outlives the call. */
const excluded: RouteName[] = ['logout', 'logoutEverywhere', 'lockDatabase', 'startBackup']
const names = (Object.keys(routes) as RouteName[]).filter((name) => !excluded.includes(name))

describe.each(names)('%s', (name) => {
  const endpoint: Endpoint = api[name]
  const [method = '', template = ''] = routes[name].split(' ')
  const fieldsOf = (schema: z.ZodType | undefined) => Object.keys((schema as z.ZodObject | undefined)?.shape ?? {})
  const bodyFields = endpoint.upload ? [] : fieldsOf(endpoint.body)

  const body =
    bodyFields.length === 0
      ? fc.option(oddValue)
      : fc.oneof(
          oddValue,
          fc.record(Object.fromEntries(bodyFields.map((field) => [field, oddValue])), { requiredKeys: [] }),
        )
  const texts = (fields: string[]) =>
    fc.record(
      Object.fromEntries(
        fields.map((field) => [
          field,
          fc.oneof(
            fc.string(),
            oddValue.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
            fc.integer().map(String),
          ),
        ]),
      ),
      {
        requiredKeys: fields,
      },
    )

  it('never responds with 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(
        texts(fieldsOf(endpoint.params)),
        texts(fieldsOf(endpoint.query)),
        body,
        async (params, query, sent) => {
          const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encode(params[name] ?? ''))
          const search = Object.entries(query).map(([key, value]) => `${encode(key)}=${encode(value)}`)
          const canHaveBody = endpoint.body && !endpoint.upload && !endpoint.form
          const response = await app.call(method, search.length === 0 ? path : `${path}?${search.join('&')}`, {
            token,
            headers: { 'x-db-token': dbToken },
            ...(canHaveBody ? { body: JSON.stringify(sent) ?? 'null' } : {}),
          })
          expect(response.status, JSON.stringify(response.body).slice(0, 300)).toBeLessThan(500)
        },
      ),
      { numRuns: runs, seed },
    )
    expect(({} as { polluted?: boolean }).polluted).toBe(undefined)
  })
})

/** For a URL; lone surrogates, which a URL cannot express, become U+FFFD. */
const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString())
