// The content of the samples. server/testing/samples.test.ts runs them.
import { describe, expect, it } from 'vitest'
import { buildCatalogue } from '../catalogue.ts'
import type { RouteName } from '../../plain/routes.ts'
import { csharpOf } from './csharp.ts'
import { curlOf } from './curl.ts'
import { curlExamples, uploadExamples } from './examples.ts'
import type { SampleOptions } from './request.ts'

const base = 'https://pics.example'
const catalogue = buildCatalogue()
const curl = (name: RouteName, options: Partial<SampleOptions> = {}) =>
  curlOf(
    catalogue.find((doc) => doc.name === name)!,
    { base, ...options },
  )

describe('a cURL command', () => {
  it('sends a body of samples with a placeholder for the token', () => {
    expect(curl('createUser')).toMatchInlineSnapshot(`
      "curl -X POST 'https://pics.example/api/users' \\
        -H 'Authorization: Bearer YOUR_TOKEN' \\
        -H 'Content-Type: application/json' \\
        -d '{
          "email": "ada@example.com",
          "password": "correct-horse-1",
          "name": "Ada Lovelace",
          "firstName": "Ada",
          "lastName": "Lovelace",
          "role": "user",
          "status": "Active"
        }'"
    `)
  })

  it('sends a file', () => {
    expect(curl('uploadImage', { token: 'ik_1' })).toBe(
      `curl -X POST '${base}/api/upload' \\\n  -H 'Authorization: Bearer ik_1' \\\n  -F "image=@photo.jpg"`,
    )
  })

  it('saves a binary response to a file', () => {
    expect(curl('getWebp', { values: { id: 'a b', width: 20 } })).toBe(
      `curl -X GET '${base}/api/webp/a%20b/80?width=20' \\\n  --fail -o image.webp`,
    )
  })

  it('unlocks the database with its token', () => {
    expect(curl('listCollections')).toContain("-H 'X-DB-Token: YOUR_DB_TOKEN'")
  })

  it('quotes values for the shell', () => {
    expect(curl('createApiKey', { values: { name: "it's" } })).toContain(
      `'{ "name": "it'\\''s", "scopes": ["upload"] }'`,
    )
  })

  const credentials: [name: RouteName, options: Partial<SampleOptions>, header: string | undefined][] = [
    ['listUsers', {}, 'YOUR_TOKEN'],
    ['listUsers', { token: 'eyJ' }, 'eyJ'],
    // This endpoint accepts no API key.
    ['listUsers', { token: 'ik_1' }, 'YOUR_TOKEN'],
    ['listImages', {}, 'YOUR_API_KEY'],
    ['listImages', { token: 'ik_1' }, 'ik_1'],
    ['deleteImage', {}, 'YOUR_API_KEY'],
    ['deleteImage', { values: { 'X-Guest-Token': 'secret' } }, undefined],
    // Uploads need no credential.
    ['uploadImage', {}, undefined],
    ['login', { token: 'eyJ' }, undefined],
    ['getLimits', { token: 'ik_1' }, undefined],
  ]
  it.each(credentials)('%s with %o carries %s', (name, options, expected) => {
    expect(/Authorization: Bearer ([^']*)/.exec(curl(name, options))?.[1]).toBe(expected)
  })
})

describe('the examples of the documentation page', () => {
  it('are four cURL requests of admins', () => {
    const examples = curlExamples(catalogue, { base, token: 'eyJ' })
    expect(examples.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /users',
      'POST /users',
      'PUT /users/{userId}',
      'GET /users/stats',
    ])
    for (const { code } of examples) expect(code).toContain("-H 'Authorization: Bearer eyJ'")
    const [, create = '', update = ''] = examples.map(({ code }) => code)
    const body = JSON.parse(/-d '([^']*)'/.exec(create)?.[1] ?? '') as object
    expect(Object.keys(body)).toEqual(['firstName', 'lastName', 'email', 'password', 'role'])
    expect(update).toContain(`-d '{ "status": "Inactive" }'`)
  })

  it('upload an image in four languages', () => {
    const examples = uploadExamples(catalogue, { base, token: 'ik_1' })
    expect(examples.map(({ label }) => label)).toEqual(['JavaScript', 'Python', 'PHP', 'C#'])
    for (const { code } of examples) {
      expect(code).toContain(`${base}/api/upload`)
      expect(code).toContain('Bearer ik_1')
      expect(code).toContain('photo.jpg')
    }
  })
})

// The compiler in the tests has no raw strings: literals are parsed by the rules of the language.
describe('C#', () => {
  const hostile = [`it's "double" """ \\ \\n`, '\n\r\t\u2028\u0085', '{x} {{x}} $"{1 + 1}"', '</script> 🦊 é', '"""""']

  it.each(hostile)('preserves %j in the text of a body', (text) => {
    const doc = catalogue.find(({ name }) => name === 'updateDocument')!
    const code = csharpOf(doc, { base, body: { text, [text]: 1 } })
    const [, quotes = '', inner = ''] = /("{3,})\n([\s\S]*?)\n {4}\1(?!")/.exec(code) ?? []
    expect(inner).not.toContain(quotes)
    expect(inner).not.toMatch(/[\r\u0085\u2028\u2029]/)
    const lines = inner.split('\n')
    for (const line of lines) expect(line).toMatch(/^ {4}/)
    expect(JSON.parse(lines.map((line) => line.slice(4)).join('\n'))).toEqual({ text, [text]: 1 })
  })

  it.each(hostile)('preserves %j in a string', (text) => {
    const doc = catalogue.find(({ name }) => name === 'sendEmailForm')!
    const code = csharpOf(doc, { base, values: { message: text } })
    const [, literal = ''] = /form\.Add\(new StringContent\(("(?:[^"\\\n]|\\.)*")\), "message"\);/.exec(code) ?? []
    // These escapes have the same meaning in JSON.
    expect(JSON.parse(literal)).toBe(text)
  })
})
