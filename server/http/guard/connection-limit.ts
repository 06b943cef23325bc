// Limits the concurrent connections of one address, before a parser or a request exists.
import { BlockList, isIP, type Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import type { Metrics } from '../../metrics.ts'
import { networkOf } from '../request/client-address.ts'

/** Counts a connection until it closes. False: its address has too many. */
export type AdmitConnection = (socket: Socket) => boolean

const tooMany =
  'An address has more connections than CONNECTIONS_PER_ADDRESS allows, further ones are closed. If it is your reverse proxy, set TRUST_PROXY'

/** Trusted proxies have no limit: their connections belong to all clients. */
export function createConnectionLimit(
  config: Config,
  metrics: Pick<Metrics, 'gauge' | 'refusedConnection'>,
  log: Pick<FastifyBaseLogger, 'warn'>,
): AdmitConnection {
  const { CONNECTIONS_PER_ADDRESS: maxPerAddress } = config
  const isTrusted = trustedPeers(config)
  const counts = new Map<string, number>()
  /** One listener for all: thousands of closures took megabytes. */
  const addresses = new WeakMap<Socket, string>()
  function release(this: Socket): void {
    const address = addresses.get(this) ?? ''
    const left = (counts.get(address) ?? 1) - 1
    if (left > 0) counts.set(address, left)
    else counts.delete(address)
  }
  let hasWarned = false
  metrics.gauge('connected_addresses', 'Addresses with open connections, except trusted proxies', () => counts.size)
  return (socket) => {
    const { remoteAddress } = socket
    // The client has disconnected already.
    if (remoteAddress === undefined) return false
    if (maxPerAddress === 0 || isTrusted(remoteAddress)) return true
    const address = networkOf(remoteAddress) ?? remoteAddress
    const count = counts.get(address) ?? 0
    if (count >= maxPerAddress) {
      metrics.refusedConnection()
      // Once: a connection without a request does not show whether it is from a proxy or an attacker.
      if (!hasWarned) log.warn({ address, limit: maxPerAddress }, tooMany)
      hasWarned = true
      return false
    }
    counts.set(address, count + 1)
    addresses.set(socket, address)
    socket.on('close', release)
    return true
  }
}

/** With a number of proxies the nearest one, which is every peer, is trusted. */
export function trustedPeers({ TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>): (address: string) => boolean {
  if (typeof TRUST_PROXY !== 'string') return () => TRUST_PROXY !== false
  const list = new BlockList()
  for (const range of TRUST_PROXY.split(',')) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  // An IPv4 address within IPv6 matches IPv4 ranges too.
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
