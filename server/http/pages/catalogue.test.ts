// The documented endpoints are exactly the ones in the OpenAPI document and in the router.
import { channel } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildCatalogue } from '../../../contract/derive/catalogue.ts'
import { compatAliasRoutes, type CompatName, compatRoutes } from '../../../contract/compat/routes.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

const documented = buildCatalogue()
  .map(({ method, path }) => `${method} ${path}`)
  .sort()
const routed: string[] = []
let app: TestApp

/** Fastify publishes each new server on this channel before its routes are added. */
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

it('documents exactly the endpoints of the served OpenAPI document', async () => {
  const { body } = await app.call('GET', '/api/openapi.json')
  const served = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(served.sort()).toEqual(documented)
})

/** Routes that are not endpoints of the contract. */
const besides = [
  // Fastify serves HEAD for each GET route; OPTIONS tells what the tus server can do.
  /^(HEAD|OPTIONS) /,
  /^GET \/api\/openapi\.json$/,
  // The page, the page of delete links, health, metrics and the aliases below.
  /^\w+ \/(?!api\/|i\/\{id\}[./]|uploads\/|db\/|1\/|3\/|upload$|delete$|heartbeat$)/,
  ...(Object.keys(compatRoutes) as CompatName[])
    .flatMap(compatAliasRoutes)
    .map((route) => new RegExp(`^${route.replace(/[{}]/g, '\\$&')}$`)),
]

it('documents exactly the endpoints of the router', () => {
  const endpoints = routed.filter((route) => !besides.some((pattern) => pattern.test(route)))
  expect(endpoints.sort()).toEqual(documented)
})

it('serves /users as an alias of /api/users', () => {
  const short = routed.filter((route) => /^(?!HEAD)\w+ \/users\b/.test(route))
  const long = documented.filter((route) => route.includes(' /api/users'))
  expect(short.sort()).toEqual(long.map((route) => route.replace('/api', '')))
})
