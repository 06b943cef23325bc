// Who is behind a line and whether by TLS, for those who answer before the framework looks: its own word, remembered.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../config.ts'

export interface KnownCaller {
  ip: string | undefined
  protocol: string
}

/** What a proxy adds is some dozen signs; a client may send kilobytes. */
const kept = { callers: 10_000, signs: 200 }

/**
 * Without a proxy the caller is who connected. Behind one the framework decides whom to believe, by the line's address and two
 * headers and nothing else: what it said once of the same three holds.
 */
export function knownCallers({ TRUST_PROXY }: Config) {
  const callers = new LRUCache<string, KnownCaller>({ max: kept.callers })
  const keyOf = ({ socket, headers }: IncomingMessage) =>
    // No header holds a line break: what is joined by it cannot be taken apart otherwise.
    [socket.remoteAddress, headers['x-forwarded-for'] ?? '\n', headers['x-forwarded-proto'] ?? '\n'].join('\n')
  return {
    of: (request: IncomingMessage): KnownCaller | undefined =>
      TRUST_PROXY === false ? { ip: request.socket.remoteAddress, protocol: 'http' } : callers.get(keyOf(request)),

    learn({ raw, ip, protocol }: FastifyRequest): void {
      const key = keyOf(raw)
      if (TRUST_PROXY !== false && key.length <= kept.signs) callers.set(key, { ip, protocol })
    },
  }
}
