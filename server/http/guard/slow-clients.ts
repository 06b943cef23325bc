// Closes connections whose client is too slow: each occupies a socket, a file or memory.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../domain/shared/failure.ts'
import { sendFailure } from '../request/errors.ts'
import type { Metrics } from '../../metrics.ts'
import type { ThroughputLimits } from './slow-client-limits.ts'
import { createThroughputMonitor, type ThroughputMonitor, type Transfer } from './throughput-monitor.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body may take any time, as long as it makes progress. */
    isUpload?: boolean
  }
}

/** Time limit for sending a 408, before which the reader of the body cleans up. */
const timeoutResponseMs = 5000

/** Monitors a response that its client receives slowly. @param log of this request */
export type MonitorResponse = (
  request: IncomingMessage,
  response: ServerResponse,
  log: () => FastifyBaseLogger,
  address: string | undefined,
) => void

export function createSlowClientGuard(
  { body, upload, response: ofResponses, checkEveryMs }: ThroughputLimits,
  metrics: Pick<Metrics, 'gauge'>,
) {
  const bodies = createThroughputMonitor(body)
  const uploads = createThroughputMonitor(upload)
  const responses = createThroughputMonitor(ofResponses)
  metrics.gauge('watched_lines', 'Request bodies and responses that are monitored for slow clients', () => ({
    bodies: bodies.count() + uploads.count(),
    answers: responses.count(),
  }))
  const monitorResponse: MonitorResponse = (request, response, log, address) => {
    // A socket emits `close` once, and the response of a queued pipelined request emits none.
    if (request.socket.destroyed) return
    const transfer = responseTransfer(request, response, log, address)
    responses.add(transfer)
    response.once('close', () => responses.remove(transfer))
  }
  return {
    /** For responses that are sent without the framework. */
    monitorResponse,
    /** Monitors every request and response of the framework. */
    register(app: FastifyInstance) {
      app.addHook('onRequest', async (request, reply) => {
        const { raw } = request
        monitorResponse(raw, reply.raw, () => request.log, request.ip)
        if (raw.headers['transfer-encoding'] === undefined && Number(raw.headers['content-length'] ?? 0) === 0) return
        const transfer = bodyTransfer(request, reply)
        let monitor = request.routeOptions.config.isUpload === true ? uploads : bodies
        monitor.add(transfer)
        const stopMonitoring = () => monitor.remove(transfer)
        for (const event of ['end', 'close']) raw.once(event, stopMonitoring)
        // The rest of a refused upload is discarded, and has the time of a small body.
        reply.raw.once('finish', () => {
          stopMonitoring()
          if (raw.complete || raw.destroyed) return
          monitor = bodies
          monitor.add(transfer)
        })
      })
      const stop = checkRegularly([bodies, uploads, responses], checkEveryMs)
      app.addHook('onClose', async () => stop())
    },
  }
}

function checkRegularly(monitors: ThroughputMonitor[], everyMs: number): () => void {
  let checkedAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // Time in which the event loop was blocked does not count against clients.
    const elapsedMs = Math.min(now - checkedAt, 2 * everyMs)
    checkedAt = now
    for (const monitor of monitors) monitor.check(elapsedMs)
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

function bodyTransfer(request: FastifyRequest, reply: FastifyReply): Transfer {
  const { raw } = request
  let refusedAt: number | undefined
  return {
    movedBytes: () => raw.socket.bytesRead,
    isClosed: () => raw.socket.destroyed,
    // Bytes that stay in the buffer wait for the server, for example for a queued upload.
    isWaiting: () => !raw.complete && raw.readableLength < raw.readableHighWaterMark,
    onTooSlow() {
      const now = performance.now()
      if (refusedAt === undefined && !reply.sent && !reply.raw.headersSent) {
        refusedAt = now
        refuse(request, reply)
      } else if (refusedAt === undefined || now - refusedAt > timeoutResponseMs) raw.socket.destroy()
    },
  }
}

/** Fails the reader of the body, which cleans up; without a reader the 408 is sent at once. */
function refuse(request: FastifyRequest, reply: FastifyReply): void {
  const failure = new Failure('request_timeout')
  void reply.header('connection', 'close')
  // Not `destroy`: it closes the connection, and the 408 could not be sent.
  if (request.raw.listenerCount('error') > 0) request.raw.emit('error', failure)
  else sendFailure(request, reply, failure)
}

function responseTransfer(...[{ socket }, response, log, address]: Parameters<MonitorResponse>): Transfer {
  return {
    movedBytes: () => sentBytes(socket).moved,
    isClosed: () => socket.destroyed,
    isWaiting: () => response.headersSent && !response.writableFinished && sentBytes(socket).waiting > 0,
    onTooSlow() {
      log().info({ address, waitingBytes: sentBytes(socket).waiting }, 'Connection closed: the client reads too slowly')
      socket.destroy()
    },
  }
}

/** Whether the system has taken all bytes. A queued pipelined response has no socket. */
export const isHandedToSystem = (response: ServerResponse): boolean =>
  response.socket !== null && response.writableLength === 0

/**
 * Bytes that the system has taken, and bytes that wait for it. @NOTE `writableLength` counts a
 * chunk of 1 MB until its last byte was taken. The handle counts exactly; Node's own socket timeout
 * reads it too (lib/net.js, `_onTimeout`).
 */
function sentBytes(socket: Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null }) {
  const { bytesWritten = 0, writeQueueSize: waiting = 0 } = socket._handle ?? {}
  return { moved: bytesWritten - waiting, waiting }
}
