// The headers that every reply has, whoever writes it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** A year, as browsers that preload ask for; subdomains too (ASVS 5.0, 3.4.1). */
const hsts = 'max-age=31536000; includeSubDomains'

/** @param protocol what a trusted proxy says of the line to the caller */
export const commonHeaders = (config: Config, requestId: string, protocol = 'http'): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Replies that are data have nothing to load; pages and pictures say their own.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  ...(isBehindTls(config, protocol) ? { 'strict-transport-security': hsts } : {}),
})

export function setCommonHeaders(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(commonHeaders(config, request.id, request.protocol))
}

/** By our own word, or by that of a proxy that is trusted: a header of the caller alone changes nothing. */
const isBehindTls = ({ PUBLIC_URL: url }: Config, protocol: string) =>
  protocol === 'https' || url?.startsWith('https:') === true
