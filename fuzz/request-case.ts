// One request over the contract: who asks what of which endpoint, rightly, nearly rightly or wildly.
import fc from 'fast-check'
import { api } from '../contract/api.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { type Json, propertiesOf, toSchema } from '../contract/json-schema.ts'
import { type RouteName, routes } from '../contract/routes.ts'
import { odds } from './odd-headers.ts'
import { pin, type fixtureNames } from './fixtures.ts'
import { mapped, near, right, wild, wildText } from './values.ts'

/** Words as «userToken» stand for what the fixtures has. */
export interface RequestCase {
  route: RouteName
  /** Instead of the endpoint's own. */
  method: string | null
  role: Role
  params: Record<string, string>
  encoding: 'once' | 'twice' | 'never'
  query: [name: string, value: string][]
  headers: [name: string, value: string][]
  body: Body | null
  /** Makes the client's address. */
  address: number
}

export type Body =
  | { as: 'json'; value: unknown }
  | { as: 'text'; text: string }
  | { as: 'form'; parts: { name: string; filename: string | null; value: string }[] }

export type Role = keyof typeof credentials
export const credentials = {
  nobody: {},
  guest: { 'x-guest-token': '«guestToken»' },
  user: { authorization: 'Bearer «userToken»' },
  other: { authorization: 'Bearer «otherToken»' },
  key: { authorization: 'Bearer «key»' },
  admin: { authorization: 'Bearer «adminToken»' },
  locked: { authorization: 'Bearer «lockedToken»' },
  ended: { authorization: 'Bearer «endedToken»' },
} as const satisfies Record<string, Record<string, string>>

const word = (name: (typeof fixtureNames)[number]) => `«${name}»`

/** What a field of this name can lead to. */
function known(route: RouteName, field: string): string[] {
  const path = routes[route]
  if (field === 'id' && path.includes('/api-keys')) return [word('keyId')]
  if (field === 'id' && path.includes('/backups')) return [word('backupId')]
  if (field === 'id' && path.includes('/documents')) return [word('documentId')]
  if (field === 'id') return [word('imageId'), word('guestImageId'), word('otherImageId'), word('deletedImageId')]
  if (field === 'name' && path.includes('/collections'))
    return ['destinations', 'users', 'images', 'apikeys', 'backups']
  return (
    {
      file_name: [word('fileName'), word('guestFileName')],
      userId: [word('userId'), word('otherId'), word('adminId'), word('lockedId')],
      'x-db-token': [word('adminDbToken'), word('userDbToken')],
      token: [word('guestToken')],
      ticket: [word('ticket')],
      cursor: [word('cursor')],
      pin: [pin],
      email: [word('userEmail')],
      password: [word('password')],
      currentPassword: [word('password')],
    }[field] ?? []
  )
}

function valueOf(route: RouteName, field: string, schema: Json, schemas: Json): fc.Arbitrary<unknown> {
  const leads = known(route, field)
  return fc.oneof(
    ...(leads.length > 0 ? [{ arbitrary: fc.constantFrom<unknown>(...leads), weight: 8 }] : []),
    { arbitrary: right(schema, schemas), weight: 5 },
    { arbitrary: near(schema, schemas), weight: 2 },
    { arbitrary: wild, weight: 1 },
  )
}

function fieldsOf(route: RouteName, schema: Endpoint['params']) {
  const schemas: Json = {}
  const properties = propertiesOf(schema, schemas)
  const values = Object.fromEntries(
    properties.map(({ name, schema: own }) => [name, valueOf(route, name, own, schemas)]),
  )
  return { values, required: properties.filter(({ required }) => required).map(({ name }) => name) }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function pairsOf(route: RouteName, schema: Endpoint['params'], more: fc.Arbitrary<[string, string][]>) {
  const { values, required } = fieldsOf(route, schema)
  const own = fc.record(values, { requiredKeys: required })
  return fc
    .tuple(own, more)
    .map(([given, others]): [string, string][] => [
      ...Object.entries(given).map(([name, value]): [string, string] => [name, asText(value)]),
      ...others,
    ])
}

const broken = [
  '',
  'null',
  '[]',
  '{',
  '{"a":1,}',
  "{'a':1}",
  '\ufeff{}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":1e400}',
  '{"a":"\\ud800"}',
  '{"email":"a@b.co","email":"c@d.co"}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  `"${'x'.repeat(100_000)}"`,
]

function bodyOf(route: RouteName, endpoint: Endpoint): fc.Arbitrary<Body | null> {
  const schemas: Json = {}
  const text = fc.constantFrom(...broken).map((given): Body => ({ as: 'text', text: given }))
  const anything = wild.map((value): Body => ({ as: 'json', value }))
  if (endpoint.upload || endpoint.form)
    return fc.oneof({ arbitrary: formOf(route, endpoint), weight: 8 }, text, anything)
  if (!endpoint.body) return fc.oneof({ arbitrary: fc.constant(null), weight: 8 }, text, anything)
  const schema = toSchema(endpoint.body, 'input', schemas)
  const { values, required } = 'shape' in endpoint.body ? fieldsOf(route, endpoint.body) : { values: {}, required: [] }
  const own = fc.record(values, { requiredKeys: required }).map((value): Body => ({ as: 'json', value }))
  const partial = fc.record(values, { requiredKeys: [] }).map((value): Body => ({ as: 'json', value }))
  const whole = fc.oneof(right(schema, schemas), near(schema, schemas)).map((value): Body => ({ as: 'json', value }))
  return fc.oneof(
    { arbitrary: Object.keys(values).length > 0 ? own : whole, weight: 8 },
    { arbitrary: partial, weight: 1 },
    { arbitrary: whole, weight: 2 },
    anything,
    text,
    fc.constant(null),
  )
}

/** The file is the fixtures's picture, nearly always in the right field. */
function formOf(route: RouteName, { upload, body }: Endpoint): fc.Arbitrary<Body> {
  const { values } = fieldsOf(route, body && 'shape' in body ? body : undefined)
  const part = fc.record({ name: wildText, filename: fc.option(wildText), value: wildText })
  const fields = Object.entries(values).map(([name, value]) =>
    fc.record({ name: fc.constant(name), filename: fc.constant(null), value: value.map(asText) }),
  )
  const file = fc.record({
    name: fc.constantFrom(upload?.field ?? 'file', upload?.field ?? 'file', 'other', '__proto__'),
    filename: fc.oneof(fc.constant('a.png'), wildText),
    value: fc.constantFrom('«picture»', '«picture»', '«picture»', ''),
  })
  const ownParts = fc.tuple(...(upload ? [file] : []), ...fields)
  const more = fc.oneof({ arbitrary: fc.constant([]), weight: 6 }, fc.array(part, { maxLength: 14 }))
  return fc.tuple(ownParts, more).map(([own, others]): Body => ({ as: 'form', parts: [...own, ...others] }))
}

const few = <T>(arbitrary: fc.Arbitrary<T>, maxLength: number) =>
  fc.oneof({ arbitrary: fc.constant<T[]>([]), weight: 3 }, { arbitrary: fc.array(arbitrary, { maxLength }), weight: 1 })

function caseOf(route: RouteName): fc.Arbitrary<RequestCase> {
  const endpoint: Endpoint = api[route]
  const params = fieldsOf(route, endpoint.params).values
  const queryNames = ['limit', 'cursor', 'q', 'sort', 'undo', 'width', 'fit', 'skip', '__proto__', 'a[b]', '']
  const oddQuery = fc.tuple(fc.constantFrom(...queryNames, ...Object.keys(endpoint.query?.shape ?? {})), wildText)
  const needed: Role = endpoint.access === 'admin' ? 'admin' : endpoint.access === 'user' ? 'user' : 'guest'
  const roles = Object.keys(credentials) as Role[]
  return fc.record({
    route: fc.constant(route),
    method: fc.oneof(
      { arbitrary: fc.constant(null), weight: 19 },
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'),
    ),
    role: fc.oneof({ arbitrary: fc.constant(needed), weight: 4 }, { arbitrary: fc.constantFrom(...roles), weight: 1 }),
    params: fc.record(mapped(params, (value) => value.map(asText))),
    encoding: fc.oneof(
      { arbitrary: fc.constant('once' as const), weight: 18 },
      fc.constantFrom('twice' as const, 'never' as const),
    ),
    query: pairsOf(route, endpoint.query, few(oddQuery, 4)),
    headers: pairsOf(route, endpoint.headers, few(fc.constantFrom(...odds), 3)),
    body: bodyOf(route, endpoint),
    address: fc.nat(0xffffff),
  })
}

/** Ends the sessions that the others need, or copies the whole instance: asked too, but seldom. */
const seldom: RouteName[] = ['logout', 'logoutEverywhere', 'updateMe', 'deleteUser', 'updateUser', 'startBackup']

export const requestCase: fc.Arbitrary<RequestCase> = fc.oneof(
  ...(Object.keys(routes) as RouteName[]).map((route) => ({
    arbitrary: caseOf(route),
    weight: seldom.includes(route) ? 1 : 8,
  })),
)
