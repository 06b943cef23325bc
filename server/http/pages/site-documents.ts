// Documents about the instance for programs: OpenAPI, robots.txt and the well-known URLs.
import type { FastifyInstance } from 'fastify'
import { dayMs } from '../../../contract/plain/limits.ts'
import { buildOpenApi } from '../../../contract/derive/openapi.ts'
import { paths } from '../../../contract/plain/page-paths.ts'
import type { Config } from '../../config.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { type Asset, compressAssets, createAsset, sendAsset } from './compressed-document.ts'
import { throwUnknownRoute } from '../request/errors.ts'

const text = 'text/plain; charset=utf-8'
const method = ['GET', 'HEAD']
/** RFC 9116 recommends less than a year. */
const securityTextMs = 180 * dayMs

export function bindSiteDocuments(app: FastifyInstance, { config, now }: Pick<Deps, 'config' | 'now'>): void {
  let openApi: Asset | undefined
  app.route({
    method,
    url: '/api/openapi.json',
    handler: (request, reply) => sendAsset(request, reply, (openApi ??= openApiAsset(config))),
  })

  const robots = createAsset(text, Buffer.from(robotsText(config)), { 'cache-control': 'no-cache' })
  app.route({ method, url: '/robots.txt', handler: (request, reply) => sendAsset(request, reply, robots) })

  app.route({
    method,
    url: '/.well-known/security.txt',
    handler(request, reply) {
      const lines = securityText(config, now())
      if (lines === null) return throwUnknownRoute(request, reply)
      return reply.type(text).header('cache-control', 'no-cache').send(lines)
    },
  })
  // Password managers open it (W3C, "A Well-Known URL for Changing Passwords").
  app.route({
    method,
    url: '/.well-known/change-password',
    handler: (_, reply) => reply.header('cache-control', 'no-store').redirect(paths.account, 302),
  })
}

/**
 * Built for the first request, not at the start. Without PUBLIC_URL the server's URL is relative to
 * that of the document.
 */
function openApiAsset({ SITE_NAME: title, PUBLIC_URL: url = '/' }: Config): Asset {
  const document = { ...buildOpenApi(title), servers: [{ url }] }
  const asset = createAsset('application/json; charset=utf-8', Buffer.from(JSON.stringify(document)), {
    'cache-control': 'no-cache',
  })
  // Not awaited: until it is done, the document is sent uncompressed.
  void compressAssets([asset])
  return asset
}

/** Images may be crawled: crawlers have to see the header that keeps them out of an index. */
const robotsText = ({ ROBOTS_INDEX: index }: Config) => `User-agent: *\nDisallow:${index === 'none' ? ' /' : ''}\n`

/** RFC 9116. @returns null without an address to write to: a web page has to have https there */
function securityText({ SUPPORT_EMAIL: email, PUBLIC_URL: url }: Config, now: number): string | null {
  const origin = url?.startsWith('https:') === true ? url : undefined
  if (email === undefined && origin === undefined) return null
  return [
    `Contact: ${email === undefined ? origin + paths.contact : `mailto:${email}`}`,
    `Expires: ${new Date(now + securityTextMs).toISOString()}`,
    'Preferred-Languages: en',
    ...(origin === undefined ? [] : [`Canonical: ${origin}/.well-known/security.txt`]),
    '',
  ].join('\n')
}
