import { describe, expect, it } from 'vitest'
import { api } from '../endpoints/api.ts'
import { buildOpenApi } from './openapi.ts'
import { compatRoutes } from '../compat/routes.ts'
import { routes } from '../plain/routes.ts'

interface Operation {
  operationId: string
  summary: string
  security: object[]
  parameters?: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[]
  requestBody?: { content: Record<string, { schema: { properties: Record<string, unknown> } }> }
  responses: Record<string, { description: string }>
}
const byText = (a = '', b = '') => a.localeCompare(b)
const document = buildOpenApi('Image Host') as {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}

describe('the OpenAPI document', () => {
  it('has exactly the endpoints of the contract', () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`]),
    )
    expect(Object.fromEntries(listed)).toEqual({ ...routes, ...compatRoutes })
    expect(document.openapi).toBe('3.1.0')
  })

  it('declares every placeholder of a path as a parameter', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      for (const operation of Object.values(methods)) {
        const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
        expect(declared.map(({ name }) => name).sort(byText)).toEqual(placeholders.sort(byText))
      }
    }
  })

  it('declares widths as integers with their bounds', () => {
    const width = document.paths['/api/thumbnail/{id}/{width}']?.['get']?.parameters?.find(
      ({ name }) => name === 'width',
    )
    expect(width).toMatchObject({ required: true, schema: { type: 'integer', minimum: 1, maximum: 4096 } })
  })

  it('describes the upload as a form with a file, and every failure', () => {
    const upload = document.paths['/api/upload']?.['post']
    expect(upload?.requestBody?.content['multipart/form-data']?.schema.properties).toMatchObject({
      image: { type: 'string', format: 'binary' },
    })
    expect(Object.keys(upload?.responses ?? {})).toEqual(
      expect.arrayContaining(['201', '400', '413', '415', '422', '503']),
    )
  })

  it('lets clients send lifetimes and view limits as numbers', () => {
    const content = document.paths['/api/upload']?.['post']?.requestBody?.content
    for (const type of ['application/json', 'multipart/form-data'])
      expect(content?.[type]?.schema.properties).toMatchObject({
        expires_in: { type: ['string', 'integer'] },
        max_views: { type: ['string', 'integer'] },
      })
    const key = document.paths['/api/images/{id}/view-keys']?.['post']?.requestBody?.content['application/json']
    expect(key?.schema.properties['expires_in']).toMatchObject({ type: ['string', 'integer'] })
  })

  it('names the scope that an API key needs, where one is accepted', () => {
    const securityOf = (path: string, method: string) => document.paths[path]?.[method]?.security
    expect(securityOf('/api/upload', 'post')).toEqual([{}, { bearer: [] }, { apiKey: ['upload'] }])
    expect(securityOf('/api/images', 'get')).toEqual([{ bearer: [] }, { apiKey: ['read'] }])
    expect(securityOf('/api/images/{id}', 'delete')).toEqual([
      { bearer: [] },
      { apiKey: ['manage'] },
      { guestToken: [] },
    ])
    expect(securityOf('/api/me', 'get')).toEqual([{ bearer: [] }])
    expect(securityOf('/api/login', 'post')).toEqual([])
  })

  it('resolves every reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(references.length).toBeGreaterThan(5)
    for (const reference of references) {
      expect(document.components.schemas).toHaveProperty([reference.replace('#/components/schemas/', '')])
    }
  })
})

describe('the contract', () => {
  it('has a summary and a category for each endpoint', () => {
    for (const { summary, category } of Object.values(api)) {
      expect(summary).toMatch(/\S/)
      expect(['auth', 'database', 'images', 'albums', 'api-keys', 'webhooks', 'contact']).toContain(category)
    }
  })
})
