// The headers of every response, with or without the framework.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

/** One year, as the preload lists of browsers require; subdomains included (ASVS 5.0, 3.4.1). */
const hsts = 'max-age=31536000; includeSubDomains'

/** @param protocol of the client's connection, as a trusted proxy reports it */
export const commonHeaders = (config: Config, requestId: string, protocol = 'http'): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Other sites may not include responses; images override it.
  'cross-origin-resource-policy': 'same-origin',
  // Data loads nothing; pages and images set their own policy.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  ...(isBehindTls(config, protocol) ? { 'strict-transport-security': hsts } : {}),
})

export function setCommonHeaders(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(commonHeaders(config, request.id, request.protocol))
  const isImage = request.routeOptions.config.isImage === true
  const { ROBOTS_INDEX: index } = config
  if (index === 'none' || (index === 'pages' && isImage)) reply.header('x-robots-tag', 'noindex')
}

/** By configuration, or reported by a trusted proxy: a header of the client alone has no effect. */
const isBehindTls = ({ PUBLIC_URL: url }: Config, protocol: string) =>
  protocol === 'https' || url?.startsWith('https:') === true
