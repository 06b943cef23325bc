// The client's address and protocol, for requests that do not reach the framework.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { createLru } from '../../concurrency/lru.ts'
import type { Config } from '../../config.ts'

export interface ClientInfo {
  ip: string | undefined
  protocol: string
}

/** A key takes some dozen characters from a proxy; a client may send kilobytes. */
const capacity = { clients: 10_000, keyLength: 200 }

/**
 * Without a trusted proxy the client is the peer of the connection. Behind one the framework
 * decides whom to trust by the peer address and two headers only: its result is cached by these
 * three.
 */
export function createClientInfoCache({ TRUST_PROXY }: Config) {
  const clients = createLru<ClientInfo>(capacity.clients)
  const keyOf = ({ socket, headers }: IncomingMessage) =>
    // Header values cannot contain a line break, so the parts cannot be confused.
    [socket.remoteAddress, headers['x-forwarded-for'] ?? '\n', headers['x-forwarded-proto'] ?? '\n'].join('\n')
  return {
    get: (request: IncomingMessage): ClientInfo | undefined =>
      TRUST_PROXY === false ? { ip: request.socket.remoteAddress, protocol: 'http' } : clients.get(keyOf(request)),

    add({ raw, ip, protocol }: FastifyRequest): void {
      const key = keyOf(raw)
      if (TRUST_PROXY !== false && key.length <= capacity.keyLength) clients.set(key, { ip, protocol })
    },
  }
}
