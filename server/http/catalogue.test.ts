// The documentation lists exactly what is served: held against the OpenAPI document and against the router itself.
import { channel } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildCatalogue } from '../../contract/catalogue.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'

const documented = buildCatalogue()
  .map(({ method, path }) => `${method} ${path}`)
  .sort()
const routed: string[] = []
let app: TestApp

/** Fastify says on this channel that there is a new server, before any of its routes. */
const starts = channel('fastify.initialization')
const listen = (message: unknown) =>
  (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routed.push(`${one} ${url.replace(/:(\w+)/g, '{$1}')}`)
  })

beforeAll(async () => {
  starts.subscribe(listen)
  app = await startTestApp()
  starts.unsubscribe(listen)
})
afterAll(() => app.stop())

it('lists what the served OpenAPI document has, no more and no less', async () => {
  const { body } = await app.call('GET', '/api/openapi.json')
  const served = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(served.sort()).toEqual(documented)
})

/** Routed beside the endpoints, on purpose. */
const besides = [
  // The headers of what GET answers.
  /^HEAD /,
  /^GET \/api\/openapi\.json$/,
  // The page, the state of the service, and the short addresses below.
  /^\w+ \/(?!api\/|uploads\/|db\/)/,
]

it('lists what the router has, no more and no less', () => {
  const endpoints = routed.filter((route) => !besides.some((pattern) => pattern.test(route)))
  expect(endpoints.sort()).toEqual(documented)
})

it('lists what /users answers too', () => {
  const short = routed.filter((route) => /^(?!HEAD)\w+ \/users\b/.test(route))
  const long = documented.filter((route) => route.includes(' /api/users'))
  expect(short.sort()).toEqual(long.map((route) => route.replace('/api', '')))
})
