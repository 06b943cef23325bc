// Generates requests from the contract: role, endpoint, and valid, nearly valid or arbitrary
// values.
import fc from 'fast-check'
import { api } from '../contract/endpoints/api.ts'
import type { Endpoint } from '../contract/endpoints/endpoint.ts'
import { type Json, propertiesOf, toSchema } from '../contract/derive/json-schema.ts'
import { type RouteName, routes } from '../contract/plain/routes.ts'
import { unusualHeaders } from './unusual-headers.ts'
import { type Fixtures, pin } from './fixtures.ts'
import { mapValues, nearlyValidValue, validValue, anyValue, anyText } from './values.ts'

/** Placeholders such as «userToken» stand for values of the fixtures. */
export interface RequestCase {
  route: RouteName
  /** Replaces the endpoint's method if not null. */
  method: string | null
  role: Role
  params: Record<string, string>
  encoding: 'once' | 'twice' | 'never'
  query: [name: string, value: string][]
  headers: [name: string, value: string][]
  body: Body | null
  /** Determines the client address. */
  address: number
}

export type Body =
  | { as: 'json'; value: unknown }
  | { as: 'text'; text: string }
  | { as: 'form'; parts: { name: string; filename: string | null; value: string }[] }

export type Role = keyof typeof credentials
export const credentials = {
  anonymous: {},
  guest: { 'x-guest-token': '«guestToken»' },
  user: { authorization: 'Bearer «userToken»' },
  other: { authorization: 'Bearer «otherToken»' },
  key: { authorization: 'Bearer «key»' },
  admin: { authorization: 'Bearer «adminToken»' },
  locked: { authorization: 'Bearer «lockedToken»' },
  loggedOut: { authorization: 'Bearer «loggedOutToken»' },
} as const satisfies Record<string, Record<string, string>>

const placeholder = (name: keyof Fixtures) => `«${name}»`

/** Fixture values that a field of this name can refer to. */
function fixtureValues(route: RouteName, field: string): string[] {
  const path = routes[route]
  if (field === 'id' && path.includes('/api-keys')) return [placeholder('keyId')]
  if (field === 'id' && path.includes('/backups')) return [placeholder('backupId')]
  if (field === 'id' && path.includes('/documents')) return [placeholder('documentId')]
  if (field === 'id')
    return [
      placeholder('imageId'),
      placeholder('guestImageId'),
      placeholder('otherImageId'),
      placeholder('deletedImageId'),
    ]
  if (field === 'name' && path.includes('/collections'))
    return ['destinations', 'users', 'images', 'apikeys', 'backups']
  return (
    {
      file_name: [placeholder('fileName'), placeholder('guestFileName')],
      userId: [placeholder('userId'), placeholder('otherId'), placeholder('adminId'), placeholder('lockedId')],
      'x-db-token': [placeholder('adminDbToken'), placeholder('userDbToken')],
      token: [placeholder('guestToken')],
      ticket: [placeholder('ticket')],
      cursor: [placeholder('cursor')],
      pin: [pin],
      email: [placeholder('userEmail')],
      password: [placeholder('password')],
      currentPassword: [placeholder('password')],
    }[field] ?? []
  )
}

function valueOf(route: RouteName, field: string, schema: Json, schemas: Json): fc.Arbitrary<unknown> {
  const values = fixtureValues(route, field)
  return fc.oneof(
    ...(values.length > 0 ? [{ arbitrary: fc.constantFrom<unknown>(...values), weight: 8 }] : []),
    { arbitrary: validValue(schema, schemas), weight: 5 },
    { arbitrary: nearlyValidValue(schema, schemas), weight: 2 },
    { arbitrary: anyValue, weight: 1 },
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
  const anything = anyValue.map((value): Body => ({ as: 'json', value }))
  if (endpoint.upload || endpoint.form)
    return fc.oneof({ arbitrary: formOf(route, endpoint), weight: 8 }, text, anything)
  if (!endpoint.body) return fc.oneof({ arbitrary: fc.constant(null), weight: 8 }, text, anything)
  const schema = toSchema(endpoint.body, 'input', schemas)
  const { values, required } = 'shape' in endpoint.body ? fieldsOf(route, endpoint.body) : { values: {}, required: [] }
  const own = fc.record(values, { requiredKeys: required }).map((value): Body => ({ as: 'json', value }))
  const partial = fc.record(values, { requiredKeys: [] }).map((value): Body => ({ as: 'json', value }))
  const whole = fc
    .oneof(validValue(schema, schemas), nearlyValidValue(schema, schemas))
    .map((value): Body => ({ as: 'json', value }))
  return fc.oneof(
    { arbitrary: Object.keys(values).length > 0 ? own : whole, weight: 8 },
    { arbitrary: partial, weight: 1 },
    { arbitrary: whole, weight: 2 },
    anything,
    text,
    fc.constant(null),
  )
}

/** A multipart form with the image of the fixtures, usually in the right field. */
function formOf(route: RouteName, { upload, body }: Endpoint): fc.Arbitrary<Body> {
  const { values } = fieldsOf(route, body && 'shape' in body ? body : undefined)
  const part = fc.record({ name: anyText, filename: fc.option(anyText), value: anyText })
  const fields = Object.entries(values).map(([name, value]) =>
    fc.record({ name: fc.constant(name), filename: fc.constant(null), value: value.map(asText) }),
  )
  const file = fc.record({
    name: fc.constantFrom(upload?.field ?? 'file', upload?.field ?? 'file', 'other', '__proto__'),
    filename: fc.oneof(fc.constant('a.png'), anyText),
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
  const unusualQuery = fc.tuple(fc.constantFrom(...queryNames, ...Object.keys(endpoint.query?.shape ?? {})), anyText)
  const requiredRole: Role = endpoint.access === 'admin' ? 'admin' : endpoint.access === 'user' ? 'user' : 'guest'
  const roles = Object.keys(credentials) as Role[]
  return fc.record({
    route: fc.constant(route),
    method: fc.oneof(
      { arbitrary: fc.constant(null), weight: 19 },
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'),
    ),
    role: fc.oneof(
      { arbitrary: fc.constant(requiredRole), weight: 4 },
      { arbitrary: fc.constantFrom(...roles), weight: 1 },
    ),
    params: fc.record(mapValues(params, (value) => value.map(asText))),
    encoding: fc.oneof(
      { arbitrary: fc.constant('once' as const), weight: 18 },
      fc.constantFrom('twice' as const, 'never' as const),
    ),
    query: pairsOf(route, endpoint.query, few(unusualQuery, 4)),
    headers: pairsOf(route, endpoint.headers, few(fc.constantFrom(...unusualHeaders), 3)),
    body: bodyOf(route, endpoint),
    address: fc.nat(0xffffff),
  })
}

/** These end sessions that other requests need, or copy the whole instance, so they are rare. */
const rare: RouteName[] = ['logout', 'logoutEverywhere', 'updateMe', 'deleteUser', 'updateUser', 'startBackup']

export const requestCase: fc.Arbitrary<RequestCase> = fc.oneof(
  ...(Object.keys(routes) as RouteName[]).map((route) => ({
    arbitrary: caseOf(route),
    weight: rare.includes(route) ? 1 : 8,
  })),
)
