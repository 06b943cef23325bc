// The server's URL as the client sees it, and the client's address.
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { countedNetwork, normalAddress } from '../../domain/moderation/networks.ts'

/** PUBLIC_URL, else the Host of the request, trusted only when it looks like a host. */
export function baseUrl(config: Config, request: FastifyRequest): string {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL
  return /^[\w.-]{1,253}(:\d{1,5})?$|^\[[\da-fA-F:.]{2,45}\](:\d{1,5})?$/.test(request.host)
    ? `${request.protocol}://${request.host}`
    : `http://${config.HOST}:${config.PORT}`
}

/**
 * The address for rate limits: of IPv6 the /64 network, which belongs to one household; the peer of
 * the connection where a proxy sends something else than an address.
 */
export const clientAddress = ({ ip, socket }: FastifyRequest): string =>
  networkOf(ip) ?? networkOf(socket.remoteAddress) ?? 'unknown'

/** The network that rate limits count; undefined when it is not an address. */
export function networkOf(written?: string): string | undefined {
  const address = addressOf(written)
  return address === undefined ? undefined : countedNetwork(address)
}

/** The client's whole address, as blocklists match it; undefined where clientAddress is 'unknown'. */
export const fullClientAddress = ({ ip, socket }: FastifyRequest): string | undefined =>
  addressOf(ip) ?? addressOf(socket.remoteAddress)

/** Normalizes the spellings of an address: with a port, in brackets, as IPv4 within IPv6. */
function addressOf(written = ''): string | undefined {
  const withPort = /^\[([^\]]+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(written)
  return normalAddress(withPort?.[1] ?? withPort?.[2] ?? written)
}
