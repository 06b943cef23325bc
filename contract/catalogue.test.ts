import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { api } from './api.ts'
import { buildCatalogue } from './catalogue.ts'
import type { Endpoint } from './endpoint.ts'
import type { EndpointDoc } from './endpoint-doc.ts'
import { type RouteName, routes } from './routes.ts'

const catalogue = buildCatalogue()
const find = (name: RouteName) => catalogue.find((doc) => doc.name === name)!
const asText = (sample: unknown) => (typeof sample === 'string' ? sample : JSON.stringify(sample))
const names = (fields: EndpointDoc['body']) => fields.map(({ name }) => name)

describe('the catalogue', () => {
  it('has every endpoint once, under an id of its own', () => {
    expect(Object.fromEntries(catalogue.map(({ name, method, path }) => [name, `${method} ${path}`]))).toEqual(routes)
    expect(catalogue).toHaveLength(Object.keys(routes).length)
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
    for (const { id } of catalogue) expect(id).toMatch(/^[a-z0-9-]+$/)
    expect(find('uploadImage').id).toBe('post-api-upload')
  })

  it.each(catalogue)('$name: its samples are what the contract accepts', (doc) => {
    const { reply, body, query, params }: Endpoint = api[doc.name]
    if (reply instanceof z.ZodType) expect(reply.parse(doc.sampleReply)).toEqual(doc.sampleReply)
    else expect(doc).not.toHaveProperty('sampleReply')
    if (body) expect(() => body.parse(doc.sampleBody ?? {})).not.toThrow()
    // Addresses carry texts.
    for (const [schema, fields] of [
      [params, doc.params],
      [query, doc.query],
    ] as const) {
      const given = fields.flatMap(({ name, sample }) => (sample === undefined ? [] : [[name, asText(sample)]]))
      if (schema) expect(() => schema.parse(Object.fromEntries(given))).not.toThrow()
    }
  })

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(catalogue))).toEqual(catalogue)
  })

  it('has a word for the type of every field', () => {
    const types = catalogue.flatMap(({ params, query, headers, body }) =>
      [params, query, headers, body].flat().map(({ type }) => type),
    )
    expect([...new Set(types)].sort()).toMatchInlineSnapshot(`
      [
        "1",
        "any",
        "array of object",
        "array of string",
        "boolean",
        "file",
        "integer",
        "object",
        "one of Active, Inactive",
        "one of cover, contain, inside",
        "one of newest, oldest, expiry, largest, name",
        "one of png, jpeg, webp, gif, svg",
        "one of user, admin",
        "soon",
        "string",
        "string or number",
      ]
    `)
  })

  it('shows what is within lists and objects', () => {
    expect(names(find('claimImages').body)).toEqual(['images', 'images[].id', 'images[].token'])
    expect(names(find('sendEmail').body)).toContain('template_params.subject')
    expect(find('createDocuments').body).toMatchObject([{ name: '*', description: 'Any JSON object' }])
  })

  it('tells forms from JSON', () => {
    expect(find('uploadImage')).toMatchObject({
      bodyKind: 'multipart',
      body: [
        { name: 'image', type: 'file', required: true },
        { name: 'expires_in', type: 'string', required: false },
      ],
    })
    expect(find('uploadImage')).not.toHaveProperty('sampleBody')
    expect(find('sendEmailForm').bodyKind).toBe('multipart')
    expect(find('sendEmail').bodyKind).toBe('json')
    expect(find('getMe').bodyKind).toBe('none')
  })

  it('says which credentials help', () => {
    expect(find('getImage')).toMatchObject({ access: 'public', acceptsApiKey: true, guestToken: true })
    expect(names(find('getImage').headers)).toEqual(['X-Guest-Token'])
    expect(find('uploadImage')).toMatchObject({ acceptsApiKey: true, guestToken: false })
    expect(find('listCollections').headers).toMatchObject([{ name: 'X-DB-Token', required: true }])
    expect(find('updateDocument').headers[1]).toMatchObject({ name: 'If-Match', required: false })
  })

  it('names every refusal with its status, the lowest first', () => {
    const { failures } = find('updateUser')
    expect(failures.map(({ status }) => status)).toEqual(failures.map(({ status }) => status).toSorted((a, b) => a - b))
    expect(failures).toContainEqual({ status: 404, code: 'user_not_found', text: 'User not found' })
  })
})
