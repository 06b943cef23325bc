// Values that readers type into the documentation arrive unchanged from the sample of every
// language; none is interpreted as code.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCatalogue } from '../../contract/derive/catalogue.ts'
import type { RouteName } from '../../contract/plain/routes.ts'
import { languages } from '../../contract/derive/samples/languages.ts'
import { type Runner, runtimes } from './sample-runners.ts'

interface ReceivedRequest {
  path: string
  headers: Record<string, unknown>
  body: Buffer
}

let server: Server
let base = ''
let folder = ''
let received: ReceivedRequest | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-hostile-'))
  await writeFile(join(folder, 'photo.jpg'), 'a picture')
  server = createServer((request, response) => {
    void buffer(request).then((body) => {
      received = { path: request.url ?? '', headers: request.headers, body }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

const hostile = [
  '',
  "it's",
  '"double"',
  '"""',
  String.raw`\ \\ \n \' \" \u0041 \x41 \$ \0`,
  '\\',
  '$HOME ${HOME} $(touch owned) `touch owned` #{x} {$x} {x} %s %(x)s {{x}}',
  '\n\r\n\t\b\f\u001b\u007f\u0085',
  '\u2028\u2029\ufeff',
  'é ü 漢 🦊 مرحبا \u202e',
  '</script><!-- --> ]]>',
  '?> <?php',
  '!! !x ~ * ? [a] {b,c} & ; | < > ( ) # %41 %',
  '@/etc/passwd',
  '</etc/passwd',
  'text;type=text/html',
  '// /* */ -- #',
  'x'.repeat(2000),
]
const text = hostile.join(' ')
/** Forms separate lines with CRLF, which some clients enforce. */
const withCrlf = (given: string) => given.replace(/\r\n?|\n/g, '\r\n')
const document = {
  ...Object.fromEntries(hostile.map((value, at) => [value, { at, value, 0: true, '': null }])),
  numbers: [0, -1, 1.5, 1e21, 1e-7, Number.MAX_SAFE_INTEGER],
  nested: [[], {}, [{}], { 0: 'a', 1: 'b' }, { a: { b: [null, true, false] } }],
  ...(JSON.parse('{"__proto__": {"x": 1}, "constructor": 1, "a.b": 2, "a-b": 3, "class": 4}') as object),
}

const catalogue = buildCatalogue()
const find = (name: RouteName) => catalogue.find((doc) => doc.name === name)!

const testable = languages.map(({ id, label, write }) => {
  const missing = runtimes[id].missing()
  return { id, label: missing === undefined ? label : `${label}: ${missing}`, missing, runtime: runtimes[id], write }
})

describe.each(testable)('$label', ({ id, missing, runtime, write }) => {
  let runner: Runner
  beforeAll(() => {
    if (missing === undefined) runner = runtime.start(folder)
  })
  afterAll(() => runner?.stop())

  // Mono's Uri, unlike that of .NET 8, drops directional marks.
  const inUrl = id === 'csharp' ? text.replace('\u202e', '') : text

  const send = async (
    name: RouteName,
    options: { token?: string; values?: Record<string, unknown>; body?: unknown },
  ) => {
    received = undefined
    const code = write(find(name), { base, ...options })
    const output = await runner.run(code)
    expect(output, code).toMatch(/^200/)
    return received as unknown as ReceivedRequest
  }

  it.skipIf(missing !== undefined)('sends a document unchanged', async () => {
    const { body } = await send('updateDocument', { body: document })
    expect(JSON.parse(body.toString())).toEqual(document)
    expect(Object.keys(JSON.parse(body.toString()) as object)).toContain('__proto__')
  })

  it.skipIf(missing !== undefined)('encodes values in the URL', async () => {
    const { path } = await send('listImages', { values: { q: text, sort: '&q=1' } })
    expect([...new URL(path, base).searchParams]).toEqual([
      ['q', inUrl],
      ['sort', '&q=1'],
    ])
    const document = await send('getDocument', { values: { name: text, id: 'a/b?c#d' } })
    expect(document.path.split('/').map(decodeURIComponent)).toEqual([
      '',
      'db',
      'collections',
      inUrl,
      'documents',
      'a/b?c#d',
    ])
  })

  it.skipIf(missing !== undefined)('sends the fields of a form', async () => {
    for (const start of ['@/etc/passwd', '<x', 'text;type=text/html', '"quoted"']) {
      const message = `${start} ${text}`
      const request = await send('sendEmailForm', { values: { message, subject: start } })
      const form = await textsOf(request)
      expect(withCrlf(form.get('message') as string)).toBe(withCrlf(message))
      expect([form.get('subject'), form.get('name')]).toEqual([start, 'Ada Lovelace'])
    }
  })

  it.skipIf(missing !== undefined)('sends the file and the other fields of a form', async () => {
    const request = await send('uploadImage', { values: { expires_in: text } })
    const form = await textsOf(request)
    expect(withCrlf(form.get('expires_in') as string)).toBe(withCrlf(text))
    const file = form.get('image') as unknown as File
    expect([file.name, await file.text()]).toEqual(['photo.jpg', 'a picture'])
  })

  it.skipIf(missing !== undefined)('sends a credential in one header', async () => {
    const token = `"'\\$HOME \`id\` $(id) @x`
    const { headers } = await send('updateDocument', {
      token: `${token}\r\nX-Evil: 1`,
      values: { 'X-DB-Token': token, 'If-Match': '3' },
    })
    expect(headers).toMatchObject({ authorization: `Bearer ${token} X-Evil: 1`, 'x-db-token': token, 'if-match': '3' })
    expect(headers).not.toHaveProperty('x-evil')
  })
})

function textsOf({ headers, body }: ReceivedRequest): Promise<FormData> {
  // .NET omits quotes around names and repeats the name of the file; this parser supports neither.
  const quoted = body
    .toString('latin1')
    .replace(/^content-disposition:.*/gim, (line) =>
      line.replace(/; filename\*=[^;\r]+/, '').replace(/(name=)([^";\r]+)/g, '$1"$2"'),
    )
  const content = new Uint8Array(Buffer.from(quoted, 'latin1'))
  const response = new Response(content, { headers: { 'content-type': String(headers['content-type']) } })
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated for untrusted forms; this one is small and ours
  return response.formData()
}
