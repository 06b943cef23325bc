// The server's URL as the client sees it, and the client's address.
import { isIPv4, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

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

/**
 * The network that rate limits count; undefined when it is not an address. Normalizes spellings: with a port,
 * in brackets, as IPv4 within IPv6.
 */
export function networkOf(written = ''): string | undefined {
  const withPort = /^\[([^\]]+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(written)
  const address = withPort?.[1] ?? withPort?.[2] ?? written
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return undefined
  const groups = groupsOf(address)
  if (!ipv4Prefixes.has(groups.slice(0, 6).join(':'))) return `${groups.slice(0, 4).join(':')}::/64`
  return groups.slice(6).flatMap(bytesOf).join('.')
}

/** IPv4-mapped (RFC 4291, section 2.5.5.2), and NAT64, which would be one client (RFC 6052, section 2.1). */
const ipv4Prefixes = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'])

/** All eight groups, in hex, without leading zeros. */
function groupsOf(address: string): string[] {
  // The URL parser normalizes an address: hex to the end, lower case.
  const plain = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1)
  const [front = [], back = []] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  return [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16)
  return [Math.floor(value / 256), value % 256]
}

/** Whether this is from a page of another origin, not in CORS_ORIGINS. Programs send no Origin. */
export function isForeignOrigin(config: Config, request: FastifyRequest): boolean {
  const { origin } = request.headers
  if (origin === undefined) return false
  const known = [baseUrl(config, request), ...config.CORS_ORIGINS]
  return !known.some((url) => new URL(url).origin === origin)
}
