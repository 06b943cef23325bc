// Who sends a body or takes an answer too slowly holds a socket, a file or memory of ours: cut off.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../domain/failure.ts'
import { sendFailure } from '../errors.ts'
import type { Metrics } from '../../metrics.ts'
import { type Line, type Pace, watchPace } from './minimum-throughput.ts'

export interface Paces {
  body: Pace
  answer: Pace
  /** How often we look. */
  everyMs: number
}

/** Security rules, network. Answers: a phone in a tunnel is not cut off at once, and a picture waits in memory for it. */
export const paces: Paces = {
  body: { leastBytesPerS: 1024, graceMs: 10_000 },
  answer: { leastBytesPerS: 1024, graceMs: 30_000, isRenewed: true },
  everyMs: 100,
}

/** How long a 408 may take before its line is closed without it: whoever reads the body tidies up first. */
const answerMs = 5000

/** Watches an answer that its client takes slowly. @param log of this request, for the line that says so */
export type WatchAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  log: () => FastifyBaseLogger,
  address: string | undefined,
) => void

/** @returns for whoever answers without the framework */
export function cutSlowClients(
  app: FastifyInstance,
  { body, answer, everyMs }: Paces,
  metrics: Pick<Metrics, 'gauge'>,
): WatchAnswer {
  const bodies = watchPace(body)
  const answers = watchPace(answer)
  metrics.gauge('watched_lines', 'Requests and answers that are watched for clients that are too slow', () => ({
    bodies: bodies.count(),
    answers: answers.count(),
  }))
  const watchAnswer: WatchAnswer = (request, response, log, address) => {
    // Node tells of the end of a line once, and not at all of an answer that waited behind another.
    if (request.socket.destroyed) return
    const taking = answerLine(request, response, log, address)
    answers.add(taking)
    response.once('close', () => answers.remove(taking))
  }
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    watchAnswer(raw, reply.raw, () => request.log, request.ip)
    if (raw.headers['transfer-encoding'] === undefined && Number(raw.headers['content-length'] ?? 0) === 0) return
    const sending = bodyLine(request, reply)
    bodies.add(sending)
    for (const event of ['end', 'close']) raw.once(event, () => bodies.remove(sending))
  })
  let lookedAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // Where we ourselves could not look for a while, that was no client's fault.
    const elapsedMs = Math.min(now - lookedAt, 2 * everyMs)
    lookedAt = now
    bodies.look(elapsedMs)
    answers.look(elapsedMs)
  }, everyMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return watchAnswer
}

function bodyLine(request: FastifyRequest, reply: FastifyReply): Line {
  const { raw } = request
  let refusedAt: number | undefined
  return {
    movedBytes: () => raw.socket.bytesRead,
    // What is in the buffer and not taken from it waits for us, such as an upload whose turn has not come.
    isGone: () => raw.socket.destroyed,
    isWaiting: () => !raw.complete && raw.readableLength < raw.readableHighWaterMark,
    onTooSlow() {
      const now = performance.now()
      if (refusedAt === undefined && !reply.sent && !reply.raw.headersSent) {
        refusedAt = now
        refuse(request, reply)
      } else if (refusedAt === undefined || now - refusedAt > answerMs) raw.socket.destroy()
    },
  }
}

/** Whoever reads the body fails with it and tidies up; where nobody reads it yet, it is answered at once. */
function refuse(request: FastifyRequest, reply: FastifyReply): void {
  const failure = new Failure('request_timeout')
  void reply.header('connection', 'close')
  // Not `destroy`: that closes the line, and nobody could be told any more.
  if (request.raw.listenerCount('error') > 0) request.raw.emit('error', failure)
  else sendFailure(request, reply, failure)
}

function answerLine(...[{ socket }, response, log, address]: Parameters<WatchAnswer>): Line {
  return {
    movedBytes: () => sentBytes(socket).moved,
    isGone: () => socket.destroyed,
    isWaiting: () => response.headersSent && !response.writableFinished && sentBytes(socket).waiting > 0,
    onTooSlow() {
      log().info({ address, waitingBytes: sentBytes(socket).waiting }, 'Cut off: the answer is not taken')
      socket.destroy()
    },
  }
}

/** Whether the machine has all of an ended answer, which then waits for nobody. One that waits behind another has no socket. */
export const isTaken = (socket: Socket, response: ServerResponse): boolean =>
  response.socket !== null && response.writableLength === 0 && sentBytes(socket).waiting === 0

/**
 * What the machine has taken from us, and what it has not. @NOTE By `writableLength` a chunk of 1 MB waits until its last byte
 * has gone. The handle knows better, and Node's own `setTimeout` of sockets looks at it too (lib/net.js, `_onTimeout`).
 */
function sentBytes(socket: Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null }) {
  const { bytesWritten = 0, writeQueueSize: waiting = 0 } = socket._handle ?? {}
  return { moved: bytesWritten - waiting, waiting }
}
