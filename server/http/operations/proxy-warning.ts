// Detects a reverse proxy that TRUST_PROXY does not name.
import { BlockList, isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../domain/shared/deps.ts'

/** Where proxies of the operator connect from: loopback, private, link-local and shared networks. */
const privateNetworks = new BlockList()
privateNetworks.addSubnet('127.0.0.0', 8)
privateNetworks.addSubnet('10.0.0.0', 8)
privateNetworks.addSubnet('172.16.0.0', 12)
privateNetworks.addSubnet('192.168.0.0', 16)
privateNetworks.addSubnet('169.254.0.0', 16)
privateNetworks.addSubnet('100.64.0.0', 10)
privateNetworks.addAddress('::1', 'ipv6')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')
privateNetworks.addSubnet('fe80::', 10, 'ipv6')

/** Warns once, in the log and on the admin page. A forged header of a public address is ignored. */
export function warnOfUntrustedProxy(app: FastifyInstance, { config, warnings }: Pick<Deps, 'config' | 'warnings'>) {
  if (config.TRUST_PROXY !== false) return
  app.addHook('onRequest', async (request) => {
    if (warnings.has('untrusted_proxy') || !isForwarded(request)) return
    warnings.add('untrusted_proxy')
    request.log.warn(
      { address: request.socket.remoteAddress },
      'A proxy forwards requests, but TRUST_PROXY is off: all clients count as one address. Set TRUST_PROXY=1',
    )
  })
}

function isForwarded({ headers, socket }: FastifyRequest): boolean {
  const names = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto']
  return names.some((name) => headers[name] !== undefined) && isPrivate(socket.remoteAddress)
}

function isPrivate(address = ''): boolean {
  // A server that listens on IPv6 sees IPv4 peers as ::ffff:10.0.0.1.
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
  return isIP(plain) !== 0 && privateNetworks.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}
