// Requests to addresses that users supply: uploads by URL, webhooks (docs/decisions/0040). The
// addresses of a host are resolved once and checked, and the connection goes to one of these.
import { lookup, Resolver } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { limits } from '../../contract/plain/limits.ts'
import { hostOf, isPublicAddress } from './public-addresses.ts'

export interface RemoteClient {
  /**
   * Sends one request and follows no redirect. The caller consumes or destroys the response.
   * @throws {RemoteFailed}
   */
  request(url: URL, options: RemoteRequest): Promise<IncomingMessage>
}

interface RemoteRequest {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  /** Connects to private addresses too. */
  allowPrivate?: boolean
  /** Ends resolution, connection and response. */
  signal: AbortSignal
}

/** Its message does not reveal what is in the network of the server. */
export class RemoteFailed extends Error {
  override name = 'RemoteFailed'
}

export interface ResolvedAddress {
  address: string
  family: 4 | 6
}

const { maxUrlLength } = limits.remote
/** Ports below are those of other protocols, such as mail, except 80 and 443. */
const firstUserPort = 1024

/** @param options replaced in tests; `idleMs` is the time limit without a byte */
export function openRemoteClient({
  resolve = resolvePublic,
  isAllowed = isPublicAddress,
  idleMs = 10_000,
} = {}): RemoteClient {
  return {
    async request(url, { method, headers, body, allowPrivate = false, signal }) {
      const host = hostOf(url)
      const addresses = await addressesOf(host, { resolve: allowPrivate ? resolveAny : resolve, signal })
      // Also when only one of them is private: the connection may go to any.
      if (addresses.length === 0 || !(allowPrivate || addresses.every(({ address }) => isAllowed(address))))
        throw new RemoteFailed('its host is unknown or not public')
      return send(url, { method, headers, body, signal, addresses, timeout: idleMs })
    },
  }
}

/**
 * @param base of a relative URL, for redirects
 * @returns why no request is sent to a URL, else null. Where its host leads is checked by the request
 */
export function problemOfUrl(written: string, base?: string): string | null {
  if (written.length > maxUrlLength) return `must have at most ${maxUrlLength} characters`
  if (!URL.canParse(written, base)) return 'must be a URL'
  const { protocol, username, password, port } = new URL(written, base)
  if (!/^https?:$/.test(protocol)) return 'must begin with http:// or https://'
  if (username !== '' || password !== '') return 'must not contain a user name or a password'
  const isPortAllowed = ['', '80', '443'].includes(port) || Number(port) >= firstUserPort
  return isPortAllowed ? null : `must have port 80, 443, or one from ${firstUserPort}`
}

async function addressesOf(
  host: string,
  { resolve, signal }: { resolve: (host: string) => Promise<ResolvedAddress[]>; signal: AbortSignal },
): Promise<ResolvedAddress[]> {
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family: family === 4 ? 4 : 6 }]
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(new RemoteFailed('it took too long'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  })
  return Promise.race([resolve(host), aborted])
}

/**
 * Queries the name servers only: the file of hosts has names of the server's network, and lookups by
 * the system take threads that file access needs.
 */
async function resolvePublic(host: string): Promise<ResolvedAddress[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = (result: PromiseSettledResult<string[]>) => (result.status === 'fulfilled' ? result.value : [])
  return [
    ...found(ipv4).map((address) => ({ address, family: 4 as const })),
    ...found(ipv6).map((address) => ({ address, family: 6 as const })),
  ]
}

async function resolveAny(host: string): Promise<ResolvedAddress[]> {
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address, family }) => ({ address, family: family === 4 ? 4 : 6 }))
}

function send(
  url: URL,
  {
    body,
    addresses,
    ...options
  }: Pick<RemoteRequest, 'method' | 'headers' | 'signal'> & {
    body: string | undefined
    addresses: ResolvedAddress[]
    timeout: number
  },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      ...options,
      agent: false,
      // Node does not call it for a host that is an address.
      lookup(_host, { all }, callback) {
        const [first] = addresses
        if (all === true || first === undefined) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
    })
    request.once('response', (response) => {
      // Only a response that is destroyed itself passes the error to its reader.
      request.once('timeout', () => response.destroy(new RemoteFailed('it took too long')))
      resolve(response)
    })
    request.once('timeout', () => request.destroy(new RemoteFailed('it took too long')))
    request.on('error', (error) => reject(remoteFailure(error, options.signal)))
    request.end(body)
  })
}

/** The errors of request and response. */
export function remoteFailure(error: Error, signal: AbortSignal): RemoteFailed {
  if (error instanceof RemoteFailed) return error
  return new RemoteFailed(signal.aborted ? 'it took too long' : 'the connection failed', { cause: error })
}
