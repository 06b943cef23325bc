// Generates docs/api.md, the HTTP API in Markdown, from the contract. `npm run docs` writes the file.
import { allEndpoints } from '../contract/derive/all-endpoints.ts'
import { buildCatalogue } from '../contract/derive/catalogue.ts'
import { categories } from '../contract/endpoints/endpoint.ts'
import type { EndpointDoc } from '../contract/derive/endpoint-doc.ts'
import { type Json, toSchema } from '../contract/derive/json-schema.ts'
import { curlOf } from '../contract/derive/samples/curl.ts'
import { accountLimits } from '../contract/plain/account-limits.ts'
import { type FailureCode, failures } from '../contract/plain/failures.ts'
import { limits, minuteMs } from '../contract/plain/limits.ts'
import { fieldTexts } from './api-doc-fields.ts'
import { type Schema, typeTexts } from './api-doc-types.ts'

const base = 'https://images.example'

/** They follow from the kind of an endpoint, and are not listed with each. */
const usual: readonly FailureCode[] = [
  'invalid_input',
  'malformed_json',
  'unsupported_body',
  'body_too_large',
  'authentication_required',
  'invalid_token',
  'api_key_unknown',
  'api_key_expired',
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

- **Access.** Users, unless an endpoint says who else. They send \`Authorization: Bearer\` with the token of \`POST /api/login\` or, where an
  endpoint names a scope such as (\`read\`), an API key. \`manage\` includes the other scopes. "Owner" includes admins and the guest token, the \`delete_token\` of
  a guest's upload, in \`X-Guest-Token\` or as \`token\` in the body.
- **Fields.** Bodies are JSON, unless an endpoint says form. Fields are strings unless a type follows. Times are ISO 8601 in UTC, sizes are bytes. \`?\` marks optional fields.
- **Lists.** The \`Link\` header (rel="next") has the URL of the next page, \`X-Total-Count\` the total number; with a search or filter, it
  counts to ${limits.list.maxCounted}, and ${limits.list.maxCounted + 1} stands for more. Ids in a body that are not of your images are skipped.
- **Responses.** \`{ success: true }\`, unless an endpoint says more, where this field is left out below. Those of other hosts' APIs are
  JSON as that host sends it. A status other than 200 stands before the response. No cache may store
  what \`/preview\` and \`/original\` return.
- **Changes.** PATCH and PUT leave fields that are not sent as they are.
- **Failures.** JSON with \`error\` and \`code\` ([reference.md](reference.md#failures)). Each endpoint lists its own. These can occur
  anywhere: ${quoted(usual)}; with one image: ${quoted(ofImages)}; and for anything else in a path, the 404 \`…_not_found\` of its kind.
- **Recent logins.** An endpoint that can fail with \`password_required\` may need a login or confirmation of the last
  ${accountLimits.recentLoginMs / minuteMs} minutes, or takes \`currentPassword\`.
- **Database view.** Every \`/db\` endpoint but \`/db/unlock\`, whose token it is, needs the header \`X-DB-Token\`.

`

const catalogue = new Map(buildCatalogue().map((doc) => [doc.name, doc]))
const schemas: Json = {}
const documented = allEndpoints().map(({ name, endpoint }) => {
  const { response, failures: own = [] } = endpoint
  const schema: Schema | undefined = typeof response === 'string' ? undefined : toSchema(response, 'output', schemas)
  return { doc: catalogue.get(name)!, schema, own }
})

const fields = fieldTexts(documented.map(({ doc }) => doc))
const types = typeTexts(schemas)

/** What every way to store an image declares. */
const ofUploads = documented
  .filter(({ own }) => own.includes('broken_image') && own.includes('no_file'))
  .reduce<readonly FailureCode[]>(
    (common, { own }, at) => (at === 0 ? own : common.filter((code) => own.includes(code))),
    [],
  )

/** The content of docs/api.md. */
export function apiDoc(): string {
  const sections = Object.entries(categories).map(([category, title]) => {
    const endpoints = documented.filter(({ doc }) => doc.category === category)
    const shared = fields.ofCategory(category)
    return [`## ${title}`, ...(shared === '' ? [] : [shared]), ...endpoints.map(endpointText)].join('\n\n')
  })
  const shared = `Unless a section or an endpoint says otherwise, these fields mean:\n\n${fields.everywhere}`
  const text = [introduction, shared, uploadFailures(), library(), ...sections, '## Types', types.all()].join('\n\n')
  return `${text.replaceAll(/\n{3,}/g, '\n\n')}\n`
}

const uploadFailures = () => `## Failures of uploads
Every endpoint that stores an image can also fail with ${quoted(ofUploads)}.`

const library = () => `## Library
\`image-host/client\` is a typed client for Node and browsers. \`connect\` returns an object with \`uploadImage\` and a function for every endpoint
that responds with JSON, named by its \`operationId\` in the OpenAPI document. Lists are \`{ items, total, next }\`; \`next\` is the \`cursor\`
of the next page. GET, DELETE and uploads are retried after connection errors and temporary refusals; requests wait as long as
\`Retry-After\` says, in total at most \`maxWaitMs\`. Large files are sent as resumable uploads: \`onUploadUrl\` and \`uploadUrl\` continue
one in another process, \`onProgress\` reports progress. A refusal is a \`RequestFailed\` with \`status\`, \`code\` and \`message\`. In Node,
\`tus-js-client\`, loaded for uploads, ends the process at a signal whose only listener was added with \`once\`: use \`on\`.

[client-example.mjs](client-example.mjs) uploads, lists, extends and deletes an image.
`

function endpointText({ doc, schema, own }: (typeof documented)[number]): string {
  const { name, method, path, summary, description = '', status } = doc
  const stores = ofUploads.every((code) => own.includes(code))
  const returned = [...(status === 200 ? [] : [`${status}`]), responseText(doc, schema)].filter(Boolean).join(', ')
  const codes = own
    .filter((code) => !usual.includes(code) && !ofImages.includes(code) && !(stores && ofUploads.includes(code)))
    .filter((code) => !(path.includes('{') && code.endsWith('_not_found')))
    .toSorted((a, b) => failures[a].status - failures[b].status)
  const reasons = [...(stores ? ['[as uploads](#failures-of-uploads)'] : []), ...codes.map((code) => quoted([code]))]
  return [
    `### ${method} ${path}`,
    [
      `${summary}.`,
      description.replaceAll(implied, '').replace(allWidths, 'the [widths of the image engine](reference.md#limits)'),
    ]
      .join(' ')
      .trim(),
    ...fields.ofEndpoint(doc),
    [
      accessText(doc),
      ...(returned === '' ? [] : [`Returns ${returned}.`]),
      ...(reasons.length === 0 ? [] : [`Fails: ${reasons.join(', ')}.`]),
    ]
      .join(' ')
      .trim(),
    ...(sampled.has(name) ? [codeBlock('sh', curlOf(doc, { base }))] : []),
  ].join('\n\n')
}

/** What the introduction and the access of an endpoint say. */
const implied = new RegExp(
  [
    String.raw`Requires the guest token of a guest image( \(X-Guest-Token\))?, or a login as its owner or an admin\. ?`,
    String.raw`Paginated(: the Link header \(rel="next"\) has the URL of the next page(, X-Total-Count the total number)?)?\. ?`,
    String.raw`What a search or filter finds is counted up to \d+: \d+ stands for all larger numbers\. ?`,
    String.raw`What is not among your images is skipped\. ?`,
    String.raw`Fields that (are not sent|you do not send) stay as they are\. ?`,
    String.raw`No cache may store the response\. ?`,
    String.raw`(Needs|Requires|Creating it requires)( the password, or)? a (recent login or confirmation|login or confirmation of the last \d+ minutes)\. ?`,
  ].join('|'),
  'g',
)

/** Written once, in docs/reference.md. */
const allWidths = /\d+(, \d+){9,} or \d+/

/** A sample in JSON and one as a form; the page /api-docs has those of all. */
const sampled = new Set(['uploadImage', 'login'])

/** The introduction says who may call the others. */
const accessTexts = { public: 'Anyone', user: '', admin: 'Admins' }

function accessText({ access, keyScope, guestToken }: EndpointDoc): string {
  if (guestToken) return `Owner (\`${keyScope}\`).`
  const text = [accessTexts[access], ...(keyScope === undefined ? [] : [`(\`${keyScope}\`)`])].join(' ').trim()
  return text === '' ? '' : `${text}.`
}

/** Nothing if the introduction says it. */
function responseText({ responseKind, category }: EndpointDoc, schema: Schema = {}): string {
  if (responseKind !== 'json') return bodies[responseKind]
  const type = types.ofResponse(schema)
  return category === 'compatibility' && type.startsWith('`') ? '' : type
}

const bodies = { image: 'an image', text: 'plain text', file: 'a file', none: 'no body' }

function codeBlock(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``
}
