// JavaScript: a module for Node.js 20 and later. Runs in browsers too, except for file access.
import type { EndpointDoc } from '../endpoint-doc.ts'
import { fileName, requestOf, type SampleOptions, type SampleRequest } from './request.ts'
import { json, type Syntax, writeValue } from './write-value.ts'

export function javascriptOf(doc: EndpointDoc, options: SampleOptions): string {
  const request = requestOf(doc, options)
  const needs = [
    request.form?.file === undefined && !request.isFile ? [] : 'readFile',
    request.isSaved ? 'writeFile' : [],
  ].flat()
  return [
    ...(needs.length === 0 ? [] : [`import { ${needs.join(', ')} } from 'node:fs/promises'`, '']),
    ...form(request),
    `const response = await fetch(${text(request.url)}${init(request)})`,
    ...(request.isSaved ? save(request) : [`console.log(response.status, ${printed(request)})`]),
  ].join('\n')
}

const printed = ({ response }: SampleRequest) =>
  response === 'none' ? 'Object.fromEntries(response.headers)' : `await response.${response}()`

function form({ form: given }: SampleRequest): string[] {
  if (!given) return []
  const { file, texts } = given
  return [
    'const form = new FormData()',
    ...(file === undefined
      ? []
      : [
          `// In a browser: form.append(${text(file)}, input.files[0])`,
          `form.append(${text(file)}, new Blob([await readFile(${text(fileName)})]), ${text(fileName)})`,
        ]),
    ...texts.map(([name, value]) => `form.append(${text(name)}, ${text(value)})`),
    '',
  ]
}

function init({ method, headers, json: body, form: given, isFile }: SampleRequest): string {
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${text(method)}`]),
    ...(headers.length === 0 ? [] : [`headers: ${writeValue(Object.fromEntries(headers), javascript, '  ')}`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${writeValue(body, javascript, '  ')})`]),
    ...(given ? ['body: form'] : []),
    ...(isFile ? [`body: await readFile(${text(fileName)})`] : []),
  ]
  return lines.length === 0 ? '' : `, {\n${lines.map((line) => `  ${line},\n`).join('')}}`
}

const save = ({ saveAs }: SampleRequest) => [
  'if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)',
  '// In a browser: URL.createObjectURL(await response.blob())',
  `await writeFile(${text(saveAs)}, response.body)`,
  `console.log(response.status, ${text(`saved as ${saveAs}`)})`,
]

/** An upload that continues after a lost connection, by a client of the tus protocol. */
export function resumableUploadOf(doc: EndpointDoc, options: SampleOptions): string {
  const { url, headers } = requestOf(doc, options)
  // The client sends the headers of the protocol itself.
  const own = headers.filter(([name]) => name === 'Authorization')
  return [
    `import { createReadStream } from 'node:fs'`,
    `import * as tus from 'tus-js-client'`,
    '',
    '// In a browser: new tus.Upload(input.files[0], {',
    `new tus.Upload(createReadStream(${text(fileName)}), {`,
    `  endpoint: ${text(url)},`,
    ...(own.length === 0 ? [] : [`  headers: ${writeValue(Object.fromEntries(own), javascript, '  ')},`]),
    `  metadata: { filename: ${text(fileName)} },`,
    '  retryDelays: [0, 1000, 5000, 15000, 30000],',
    '  onProgress: (sent, total) => console.log(`${sent} of ${total} bytes`),',
    '  onSuccess: ({ lastResponse }) => console.log(JSON.parse(lastResponse.getBody())),',
    '  onError: (error) => console.error(error.message),',
    '}).start()',
  ].join('\n')
}

/** In single quotes, with `</` escaped, which would end a script element. */
function text(given: string): string {
  const inner = json.text(given).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner.replaceAll('</', '<\\/')}'`
}

const javascript: Syntax = {
  ...json,
  text,
  key: (name) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? plainKey(name) : text(name)}: `,
  trailingComma: true,
}

/** Without brackets, this key would set the object's prototype. */
const plainKey = (name: string) => (name === '__proto__' ? `['__proto__']` : name)
