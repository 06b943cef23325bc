// Generates docs/api.md, the HTTP API in Markdown, from the contract. `npm run docs` writes the file.
import { readFileSync } from 'node:fs'
import { allEndpoints } from '../contract/derive/all-endpoints.ts'
import { buildCatalogue } from '../contract/derive/catalogue.ts'
import { categories } from '../contract/endpoints/endpoint.ts'
import type { EndpointDoc, FieldDoc } from '../contract/derive/endpoint-doc.ts'
import { type Json, referenceTo, toSchema } from '../contract/derive/json-schema.ts'
import { curlOf } from '../contract/derive/samples/curl.ts'
import { accountLimits } from '../contract/plain/account-limits.ts'
import { type FailureCode, failures } from '../contract/plain/failures.ts'
import { minuteMs } from '../contract/plain/limits.ts'

const base = 'https://images.example'

/** They follow from the kind of an endpoint, and are not listed with each. */
const usual: readonly FailureCode[] = [
  'invalid_input',
  'malformed_json',
  'unsupported_body',
  'body_too_large',
  'authentication_required',
  'invalid_token',
  'inactive_account',
  'api_key_not_enough',
  'forbidden',
  'too_many_requests',
  'busy',
  'database_locked',
]
/** Of endpoints about one image. */
const ofImages: readonly FailureCode[] = [
  'image_not_found',
  'image_gone',
  'image_unavailable',
  'guest_token_required',
  'wrong_guest_token',
]
const quoted = (codes: readonly string[]) => codes.map((code) => `\`${code}\``).join(', ')

const introduction = `# HTTP API
Generated from \`contract/\` by \`npm run docs\`; a test fails when this page is stale. A running server has the same reference as
\`/api/openapi.json\`, and the page \`/api-docs\` shows samples in five languages and sends requests. [integrate.md](integrate.md) explains keys,
errors and retries.

- **Credentials.** \`Authorization: Bearer\` with the token of \`POST /api/login\` or, where an endpoint names a scope such as (\`read\`), an API key. \`manage\`
  includes the other scopes. A guest token is the \`delete_token\` of a guest's upload, in \`X-Guest-Token\` or as \`token\` in the body.
- **Fields.** Bodies are JSON, unless an endpoint says form. Fields are strings unless a type follows. Times are ISO 8601 in UTC, sizes are bytes. \`?\` marks optional fields.
- **Lists.** The \`Link\` header (rel="next") has the URL of the next page, \`X-Total-Count\` the total number.
- **Responses.** \`{ success: true }\`, unless an endpoint says more, where this field is left out below. Those of other hosts' APIs are
  JSON as that host sends it. A status other than 200 stands before the response.
- **Changes.** PATCH and PUT leave fields that are not sent as they are.
- **Failures.** JSON with \`error\` and \`code\` ([reference.md](reference.md#failures)). Each endpoint lists its own. These can occur
  anywhere: ${quoted(usual)}; with one image: ${quoted(ofImages)}; and where a path names something else that there is not: the 404 \`…_not_found\` of its kind.
- **Recent logins.** An endpoint that can fail with \`password_required\` may need a login or confirmation of the last
  ${accountLimits.recentLoginMs / minuteMs} minutes, or takes \`currentPassword\`.
- **Database view.** Every \`/db\` endpoint but \`/db/unlock\`, whose token it is, needs the header \`X-DB-Token\`.

`

const catalogue = new Map(buildCatalogue().map((doc) => [doc.name, doc]))
const schemas: Json = {}
const documented = allEndpoints().map(({ name, endpoint }) => {
  const { response, failures: own } = endpoint
  const schema: Schema | undefined = typeof response === 'string' ? undefined : toSchema(response, 'output', schemas)
  return { doc: catalogue.get(name)!, schema, own }
})

/** In the header or, for deleting without headers, in the body. */
const isGuestToken = ({ name }: FieldDoc) => name === 'X-Guest-Token' || name === 'token'

/** Those inside an object whose shape another standard defines. */
const isForeign = ({ name }: FieldDoc, fields: FieldDoc[]) =>
  fields.some(
    ({ name: outer, description = '' }) => name.startsWith(`${outer}.`) && description.endsWith('of WebAuthn'),
  )

/** Without what the introduction and the access of an endpoint imply. */
const fieldsOf = ({
  guestToken,
  params,
  query,
  headers,
  body,
  bodyKind,
}: EndpointDoc): [place: string, fields: FieldDoc[]][] => [
  ['Path', params.filter(({ description }) => description !== undefined)],
  ['Query', query],
  ['Header', headers.filter((field) => field.name !== 'X-DB-Token' && (!guestToken || !isGuestToken(field)))],
  [
    bodyKind === 'multipart' ? 'Form' : 'Body',
    body.filter((field) => !isForeign(field, body) && (!guestToken || !isGuestToken(field))),
  ],
]

const allFields = documented.flatMap(({ doc }) => fieldsOf(doc).flatMap(([, fields]) => fields))
const kindOf = ({ name, type }: FieldDoc) => `${name} ${type}`
const meaningOf = (field: FieldDoc) => `${kindOf(field)} ${field.description ?? ''}`
const uses = countOf(allFields.map(meaningOf))
const usesOf = (field: FieldDoc) => uses.get(meaningOf(field)) ?? 0
/** Described once, in the introduction: what a field means to most of the endpoints that take it, and to at least two. */
const shared = new Map<string, FieldDoc>()
for (const field of allFields) {
  const known = shared.get(kindOf(field))
  if (usesOf(field) >= 2 && (known === undefined || usesOf(field) > usesOf(known))) shared.set(kindOf(field), field)
}
for (const field of allFields) if (field.description === undefined) shared.delete(kindOf(field))
const isShared = (field: FieldDoc) =>
  field.description !== undefined && shared.get(kindOf(field))?.description === field.description

/** What every way to store an image declares. */
const ofUploads = documented
  .filter(({ own }) => own.includes('broken_image') && own.includes('no_file'))
  .reduce<readonly FailureCode[]>(
    (common, { own }, at) => (at === 0 ? own : common.filter((code) => own.includes(code))),
    [],
  )
function countOf(values: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** The content of docs/api.md. */
export function apiDoc(): string {
  const fields = [
    'Unless an endpoint says otherwise, these fields mean:',
    [...shared.values()].map((field) => `- ${nameOf({ ...field, required: true })}: ${field.description}`).join('\n'),
  ]
  const sections = Object.entries(categories).map(([category, title]) => {
    const endpoints = documented.filter(({ doc }) => doc.category === category)
    return [`## ${title}`, ...endpoints.map(endpointText)].join('\n\n')
  })
  return `${[introduction, ...fields, uploadFailures(), library(), ...sections, types()].join('\n\n').replaceAll(/\n{3,}/g, '\n\n')}\n`
}

const uploadFailures = () => `## Failures of uploads
Every endpoint that stores an image can also fail with ${quoted(ofUploads)}.`

const library = () => `## Library
\`image-host/client\` ([command.md](command.md#library)) is a typed client for Node and browsers. \`connect\` returns an object with a function for
every endpoint that responds with JSON, by its \`operationId\` in the OpenAPI document, and \`uploadImage\`. Lists are
\`{ items, total, next }\`, where \`next\` is the \`cursor\` of the next page. GET, DELETE and uploads are retried after connection errors and temporary
refusals; requests wait as long as \`Retry-After\` says, in total at most \`maxWaitMs\`. Large files are sent as resumable uploads:
\`onUploadUrl\` and \`uploadUrl\` continue one in another process, \`onProgress\` shows how far it is. A refusal is a \`RequestFailed\` with \`status\`,
\`code\` and \`message\`. In Node, \`tus-js-client\`, which it loads for uploads, ends the process at a signal whose only listener was added with
\`once\`: use \`on\`.

${codeBlock('js', readFileSync(new URL('../docs/client-example.mjs', import.meta.url), 'utf8').trimEnd())}
`

function endpointText({ doc, schema, own }: (typeof documented)[number]): string {
  const { name, method, path, summary, description = '', status } = doc
  const lines = fieldsOf(doc).flatMap(([place, fields]) => fieldLines(place, fields))
  const stores = ofUploads.every((code) => own.includes(code))
  const returned = [...(status === 200 ? [] : [`${status}`]), ...responseText(doc, schema)].join(', ')
  const codes = own
    .filter((code) => !usual.includes(code) && !ofImages.includes(code) && !(stores && ofUploads.includes(code)))
    .filter((code) => !(path.includes('{') && code.endsWith('_not_found')))
    .toSorted((a, b) => failures[a].status - failures[b].status)
  const reasons = [
    ...(stores ? ['the [failures of uploads](#failures-of-uploads)'] : []),
    ...codes.map((code) => quoted([code])),
  ]
  return [
    `### ${method} ${path}`,
    [`${summary}.`, description.replaceAll(implied, '')].join(' ').trim(),
    ...lines,
    [
      accessText(doc),
      ...(returned === '' ? [] : [`Returns ${returned}.`]),
      ...(reasons.length === 0 ? [] : [`Fails with ${reasons.join(', ')}.`]),
    ].join(' '),
    ...(sampled.has(name) ? [codeBlock('sh', curlOf(doc, { base }))] : []),
  ].join('\n\n')
}

/** What the introduction and the access of an endpoint say. */
const implied = new RegExp(
  [
    String.raw`Requires the guest token of a guest image( \(X-Guest-Token\))?, or a login as its owner or an admin\. ?`,
    String.raw`Paginated(: the Link header \(rel="next"\) has the URL of the next page(, X-Total-Count the total number)?)?\. ?`,
    String.raw`Fields that (are not sent|you do not send) stay as they are\. ?`,
    String.raw`(Needs|Requires|Creating it requires) a (recent login or confirmation|login or confirmation of the last \d+ minutes)\. ?`,
  ].join('|'),
  'g',
)

/** A sample in JSON and one as a form; the page /api-docs has those of all. */
const sampled = new Set(['uploadImage', 'login'])

const accessTexts = { public: 'Anyone', user: 'Users', admin: 'Admins' }

function accessText({ access, keyScope, guestToken }: EndpointDoc): string {
  if (keyScope === undefined) return `${accessTexts[access]}.`
  if (guestToken) return `Owner (\`${keyScope}\`), admins, guest token.`
  return `${accessTexts[access]} (\`${keyScope}\`).`
}

/** Fields that explain themselves, or are explained above, share a line. */
function fieldLines(place: string, fields: FieldDoc[]): string[] {
  const isPlain = (field: FieldDoc) => field.description === undefined || isShared(field)
  const plain = fields.filter(isPlain)
  const others = fields.filter((field) => !isPlain(field))
  if (fields.length === 0) return []
  const list = plain.map(nameOf).join(', ')
  const described = others.map((field) => `${nameOf(field)}. ${field.description}`)
  if (plain.length === 0 && described.length === 1) return [`${place}: ${described[0]}`]
  const bullets = described.map((text) => `- ${text}`)
  return [[`${place}:${list === '' ? '' : ` ${list}`}`, ...bullets].join('\n')]
}

function nameOf({ name, type, required }: FieldDoc): string {
  const shown = `\`${name}${required ? '' : '?'}\``
  const choices = type.replaceAll(/one of ([^()]+)/g, (_, list: string) => list.replaceAll(', ', '|'))
  const list = choices.replaceAll(/array of (\S+)/g, (_, of: string) => (of.includes('|') ? `(${of})[]` : `${of}[]`))
  return type === 'string' || type === 'file' ? shown : `${shown} (${list.replaceAll(' or ', '|')})`
}

/** Nothing if the introduction says it. */
function responseText({ responseKind, category }: EndpointDoc, schema: Schema = {}): string[] {
  const type = typeText(schema)
  if (responseKind !== 'json') return [bodies[responseKind]]
  return type === '`{ success: true }`' || (category === 'compatibility' && type.startsWith('`{')) ? [] : [type]
}

const bodies = {
  image: 'the bytes of an image',
  text: 'plain text',
  file: 'the bytes of a file',
  none: 'without a body',
}

/** The schemas that responses share, as TypeScript writes types. */
function types(): string {
  const interfaces = Object.entries(schemas)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `### ${name}\n\n${codeBlock('ts', interfaceText(name, schema as Schema))}`)
  return ['## Types', ...interfaces].join('\n\n')
}

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
}

function interfaceText(name: string, schema: Schema): string {
  const parent = parentOf(schema)
  const inherited = propertiesOf(parent)
  const fields = Object.entries(schema.properties ?? {})
    .filter(([field, { description = '' }]) => !(field in inherited) && !description.startsWith('The same as '))
    .flatMap(([field, inner]) => [
      ...(saysNothing(inner.description) ? [] : [`  // ${inner.description}`]),
      `  ${field}${schema.required?.includes(field) ? '' : '?'}: ${plainType(inner)}`,
    ])
  if (schema.properties === undefined) return `type ${name} = ${plainType(schema)}`
  return [`interface ${name}${parent === undefined ? '' : ` extends ${parent}`} {`, ...fields, '}'].join('\n')
}

const propertiesOf = (name?: string) => (name === undefined ? {} : ((schemas[name] as Schema).properties ?? {}))

/** The largest type whose fields are all fields of this one. */
function parentOf({ properties = {} }: Schema): string | undefined {
  const isPart = (other: Record<string, Schema>) =>
    Object.entries(other).every(([field, inner]) => plainType(inner) === plainType(properties[field] ?? {}))
  return Object.keys(schemas)
    .filter((other) => Object.keys(propertiesOf(other)).length > 2 && isPart(propertiesOf(other)))
    .filter((other) => Object.keys(propertiesOf(other)).length < Object.keys(properties).length)
    .toSorted((a, b) => Object.keys(propertiesOf(b)).length - Object.keys(propertiesOf(a)).length)[0]
}

const saysNothing = (description?: string) => description === undefined || description === 'ISO 8601, UTC'

/** In a sentence: names of types are links. */
function typeText(schema: Schema): string {
  const name = schema.$ref?.slice(referenceTo.length)
  if (name !== undefined) return `[${name}](#${name.toLowerCase()})`
  if (schema.type === 'array' && schema.items?.$ref !== undefined) return typeText(schema.items).replace(']', '[]]')
  const known = Object.keys(schemas).find((other) => plainType(schemas[other] as Schema) === plainType(schema))
  if (known !== undefined) return typeText({ $ref: referenceTo + known })
  const parent = parentOf(schema)
  if (parent === undefined) return `\`${plainType(schema)}\``
  const own = Object.entries(schema.properties ?? {}).filter(([field]) => !(field in propertiesOf(parent)))
  return `${typeText({ $ref: referenceTo + parent })} with \`${plainType({ ...schema, properties: Object.fromEntries(own) })}\``
}

/** Longer lists are in the OpenAPI document. */
const maxValues = 20

function plainType(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(referenceTo.length)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined && schema.enum.length > maxValues) return 'string'
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf !== undefined) return schema.anyOf.map(plainType).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => plainType({ ...schema, type })).join(' | ')
  if (schema.type === 'array') {
    const inner = plainType(schema.items ?? {})
    return inner.includes(' ') ? `(${inner})[]` : `${inner}[]`
  }
  if (schema.type === 'integer') return 'number'
  if (schema.type !== 'object') return schema.type ?? 'unknown'
  const properties = Object.entries(schema.properties ?? {})
  // Every response that has it has other fields too, or is nothing else.
  const fields = properties
    .filter(([name]) => name !== 'success' || properties.length === 1)
    .map(([name, inner]) => `${name}${schema.required?.includes(name) ? '' : '?'}: ${plainType(inner)}`)
  return fields.length === 0 ? 'object' : `{ ${fields.join(', ')} }`
}

function codeBlock(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``
}
