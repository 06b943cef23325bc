// Closes idle connections: at a stop, and otherwise so late that a client rarely sends a request into a closed one, because it
// cannot know whether to repeat a POST.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Beyond the second that Node adds to what `Keep-Alive` announces: clients count from a response that came late. */
const clientGraceMs = 1_000
/**
 * Proxies ignore that header and keep idle connections for a time of their own: nginx 60 s, Traefik 90 s, Caddy 120 s,
 * Google's load balancer 600 s. If the server closed one first, the request that its proxy is just sending gets a 502.
 */
const proxyGraceMs = 620_000

/** Replaces Node's handler of an ended `keepAliveTimeout`, which destroys the socket at once. */
export function closeIdleConnections(server: Server, isProxy: (address: string) => boolean): void {
  /** How many bytes a connection had received when its announced time ended. */
  const expired = new WeakMap<Socket, number>()
  server.on('timeout', (socket) => {
    const { bytesRead, remoteAddress = '' } = socket
    if (expired.get(socket) !== bytesRead) {
      expired.set(socket, bytesRead)
      socket.setTimeout(isProxy(remoteAddress) ? proxyGraceMs : clientGraceMs)
      return
    }
    // A request that arrived while the event loop was blocked is read between a timer and this.
    setImmediate(() => socket.bytesRead === bytesRead && socket.destroy())
  })
  closeUnusedConnections(server)
}

/** Browsers open connections ahead of requests. At a stop Node waits for the first request of each, without end. */
function closeUnusedConnections(server: Server): void {
  const sockets = new Set<Socket>()
  function forget(this: Socket): void {
    sockets.delete(this)
  }
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', forget)
  })
  const closeIdle = server.closeIdleConnections.bind(server)
  // Called by `close` of Node and of the framework.
  server.closeIdleConnections = () => {
    closeIdle()
    // Requests that have arrived are read between the two, even those of a connection that was accepted just now.
    setImmediate(() =>
      setImmediate(() => {
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      }),
    )
  }
}
