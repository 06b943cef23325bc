// Generates docs/api.md, the HTTP API in Markdown, from the contract. `npm run docs` writes the file.
import { readFileSync } from 'node:fs'
import { buildCatalogue } from '../contract/catalogue.ts'
import { categories } from '../contract/endpoint.ts'
import type { EndpointDoc, FieldDoc } from '../contract/endpoint-doc.ts'
import { failures } from '../contract/failures.ts'
import { curlOf } from '../contract/samples/curl.ts'

const base = 'https://images.example'

const introduction = `# HTTP API
Generated from \`contract/\` by \`npm run docs\`; a test fails when this file is stale. The same reference for programs
is \`/api/openapi.json\` on a running server, and the page \`/api-docs\` sends requests.

- **Credentials.** \`Authorization: Bearer\` with the token of \`POST /api/login\` or, where an endpoint accepts it, an API key
  with the scope that the endpoint names; \`manage\` includes the others.
  Guest images: their \`delete_token\` in \`X-Guest-Token\`.
- **Bodies.** JSON, unless an endpoint says multipart/form-data. Times are ISO 8601 in UTC, sizes are bytes.
- **Failures.** JSON with \`error\`, a text for people, and \`code\`, an identifier for programs.
- **Lists.** The \`Link\` header (rel="next") has the URL of the next page, \`X-Total-Count\` the total number.
- **Rate limit.** \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`; above the limit 429 with \`Retry-After\`.
  Uploads do not count with the other requests: they have ten times the limit, and limits an hour.
`

/** The content of docs/api.md. */
export function apiDoc(): string {
  const catalogue = buildCatalogue()
  const sections = Object.entries(categories).map(([category, title]) => {
    const endpoints = catalogue.filter((endpoint) => endpoint.category === category)
    return [`## ${title}`, ...endpoints.map(endpointText)].join('\n\n')
  })
  return [introduction, library(), ...sections.map((section) => `${section}\n`), `${failureTable()}\n`].join('\n')
}

const library = () => `## Library
The package of the product exports a client with types for Node and browsers
([command.md](command.md)). \`connect\` returns an object with a function for every endpoint that
responds with JSON, by its \`operationId\` in the OpenAPI document, and \`uploadImage\`. Lists are
\`{ items, total, next }\`, where \`next\` is the \`cursor\` of the next page. GET, DELETE and uploads
are retried after connection errors and temporary refusals. When the server is busy or limits the rate,
requests wait as long as \`Retry-After\` says, in total at most \`maxWaitMs\`. A file above 1 MiB
is sent as a resumable upload: after a lost connection the rest of it. \`onUploadUrl\` and \`uploadUrl\`
continue it in another process, \`onProgress\` shows how far it is. For that, the library loads
\`tus-js-client\`, which bundlers for pages find. In Node that package ends the process at a signal whose
only listener was added with \`once\`: add yours with \`on\`. A refusal is a \`RequestFailed\` with \`status\`,
\`code\` and \`message\`.

${codeBlock('js', readFileSync(new URL('../docs/client-example.mjs', import.meta.url), 'utf8').trimEnd())}
`

function endpointText(endpoint: EndpointDoc): string {
  const { method, path, summary, description, params, query, headers, body, bodyKind } = endpoint
  const fields = [
    ...params.map(rowOf('path')),
    ...query.map(rowOf('query')),
    ...headers.map(rowOf('header')),
    ...body.map(rowOf(bodyKind === 'multipart' ? 'form' : 'body')),
  ]
  return [
    `### ${method} ${path}`,
    [`${summary}.`, ...(description === undefined ? [] : [description])].join(' '),
    `Access: ${accessText(endpoint)}.`,
    ...(fields.length === 0 ? [] : [table(['Parameter', 'In', 'Type', 'Required', 'Description'], fields)]),
    responseText(endpoint),
    `Failures: ${failuresText(endpoint)}.`,
    codeBlock('sh', curlOf(endpoint, { base })),
  ].join('\n\n')
}

const accessTexts = { public: 'public', user: 'signed-in users', admin: 'admins' }

function accessText({ access, keyScope, guestToken }: EndpointDoc): string {
  if (keyScope === undefined) return accessTexts[access]
  const key = `API key (\`${keyScope}\`)`
  if (guestToken) return `the owner by session token or ${key}, admins, or anyone with the guest token`
  return access === 'public'
    ? `public; a session token or ${key} identifies the user`
    : `${accessTexts[access]}, also by ${key}`
}

const rowOf =
  (place: string) =>
  ({ name, type, required, description = '' }: FieldDoc): string[] => [
    `\`${name}\``,
    place,
    type,
    required ? 'yes' : 'no',
    description,
  ]

const bodies = {
  image: 'the bytes of an image',
  text: 'plain text',
  file: 'the bytes of a file',
  none: 'without a body',
}

function responseText({ status, responseKind, sampleResponse }: EndpointDoc): string {
  if (responseKind !== 'json') return `Response: ${status}, ${bodies[responseKind]}.`
  return `Response: ${status}\n\n${codeBlock('json', JSON.stringify(sampleResponse, null, 2))}`
}

function failuresText(endpoint: EndpointDoc): string {
  const statuses = [...new Set(endpoint.failures.map(({ status }) => status))]
  return statuses
    .map((status) => {
      const codes = endpoint.failures.filter((failure) => failure.status === status).map(({ code }) => `\`${code}\``)
      return `${status} ${codes.join(', ')}`
    })
    .join('; ')
}

function failureTable(): string {
  const rows = Object.entries(failures).map(([code, { status, text }]) => [`\`${code}\``, String(status), text])
  return `## Failures\n\n${table(['Code', 'Status', 'Text'], rows)}`
}

const table = (columns: string[], rows: string[][]) =>
  [columns, columns.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`)
    .join('\n')

const codeBlock = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``
