// Creates Node's HTTP server for Fastify's `serverFactory`, with settings that Fastify lacks, and listens on HOST.
import { lookup } from 'node:dns/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { maxHeaderBytes, rejectConnect } from './guard/broken-requests.ts'
import { type AdmitConnection, trustedPeers } from './guard/connection-limit.ts'
import { closeIdleConnections } from './guard/idle-connections.ts'

/**
 * Node's default for headers is 60 s, in which slow clients can exhaust a server; bodies are limited by
 * guard/slow-clients.ts. Expired connections are checked for often, because all of them are closed in one
 * go: thousands at every 5 s delayed other requests by most of a second (faults/slow.fault.ts).
 */
const timeouts = { headersMs: 10_000, checkMs: 50, keepAliveMs: 5_000 }
const maxConnections = 10_000

interface NodeServerOptions {
  config: Config
  log: FastifyBaseLogger
  admitConnection: AdmitConnection
  onRequest: RequestListener
}

export function createNodeServer({ config, log, admitConnection, onRequest }: NodeServerOptions): Server {
  const server = createServer({
    headersTimeout: timeouts.headersMs,
    requestTimeout: 0,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: timeouts.checkMs,
    maxHeaderSize: maxHeaderBytes,
    // A missing Host is refused by guard/broken-requests.ts, with a body.
    requireHostHeader: false,
  })
  server.maxConnections = maxConnections
  // Beyond 2,000 headers Node drops headers but obeys them. `maxHeaderSize` bounds their number.
  server.maxHeadersCount = 0
  server.on('request', onRequest)
  // Node would respond without a body; assertWellFormed responds with one.
  server.on('checkExpectation', onRequest)
  server.on('connect', rejectConnect(config, log))
  checkConnectionsFirst(server, admitConnection)
  closeIdleConnections(server, trustedPeers(config))
  return server
}

/** Checks connections before Node's own listener, which creates a parser for each. */
function checkConnectionsFirst(server: Server, admitConnection: AdmitConnection): void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (!admitConnection(socket)) return void socket.destroy()
    for (const listener of listeners) listener.call(server, socket)
  })
}

/**
 * Listens on HOST. `localhost` means all its addresses, IPv4 and IPv6, which Fastify supports only
 * for servers that it created. @returns the URL
 */
export async function listen(app: FastifyInstance, { HOST: host, PORT }: Config): Promise<string> {
  const others: TcpServer[] = []
  // When the shutdown starts, as the framework does with its own: at `close` all requests have ended.
  app.addHook('preClose', async () => {
    for (const other of others) other.close()
  })
  const url = await app.listen({ host, port: PORT })
  // Such as a connection that the system cannot open for lack of memory.
  app.server.on('error', (error) => app.log.error({ err: error }, 'A connection could not be accepted'))
  if (host !== 'localhost') return url
  const { address: bound, port } = app.server.address() as AddressInfo
  const addresses = await lookup(host, { all: true })
  for (const { address } of addresses) if (address !== bound) others.push(await forwardConnections(app, address, port))
  return url
}

/** Forwards the connections of another address to `server`. An unavailable address is logged and skipped. */
function forwardConnections({ server, log }: FastifyInstance, host: string, port: number): Promise<TcpServer> {
  const other = createTcpServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
  other.maxConnections = maxConnections
  return new Promise((resolve) => {
    other.on('error', (error) => {
      log.warn({ err: error, host, port }, 'An address of HOST is not available')
      resolve(other)
    })
    other.listen({ host, port }, () => resolve(other))
  })
}
