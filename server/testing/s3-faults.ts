// Faults of an S3 server and its connections, on demand.
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorResponse, type S3Response } from './s3-responses.ts'

export type Fault =
  /** Closes the connection without a response. For a refused connection use `stop()`. */
  | 'refuse'
  /** Accepts the request and never responds. */
  | 'black-hole'
  | 'slow-down'
  /** Responds with access denied for this object, as with object-level rules. */
  | 'deny'
  /** Executes the request and closes the connection without a response. */
  | 'lose-response'
  /** Closes the connection after half of the body. */
  | 'reset-at-half'
  /** Sends half of the body and stalls. */
  | 'stall-at-half'
  /** Correct headers, with one wrong byte in the body. */
  | 'wrong-byte'
  | { delayMs: number }
  | { bytesPerSecond: number }

/** @param execute not called when the fault prevents execution */
export async function respondWithFault(response: ServerResponse, execute: () => S3Response, fault: Fault | undefined) {
  if (fault === 'refuse') return response.destroy()
  if (fault === 'black-hole') return response
  if (fault === 'slow-down') return send(response, errorResponse(503, 'SlowDown'))
  if (fault === 'deny') return send(response, errorResponse(403, 'AccessDenied'))

  const result = execute()
  const body = Buffer.from(result.body ?? '')
  const half = body.subarray(0, body.length / 2)
  if (fault === 'lose-response') return response.destroy()
  if (fault === 'reset-at-half')
    return start(response, result).write(half, () => setImmediate(() => response.destroy()))
  if (fault === 'stall-at-half') return start(response, result).write(half)
  if (fault === 'wrong-byte') return send(response, { ...result, body: withWrongByte(body) })
  if (typeof fault === 'object' && 'delayMs' in fault) await sleep(fault.delayMs)
  if (typeof fault === 'object' && 'bytesPerSecond' in fault) return trickle(response, result, fault.bytesPerSecond)
  return send(response, result)
}

function start(response: ServerResponse, { status, headers, body = '' }: S3Response): ServerResponse {
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }
  return response.writeHead(status, { ...length, ...headers })
}

const send = (response: ServerResponse, result: S3Response) => start(response, result).end(result.body)

function withWrongByte(body: Buffer): Buffer {
  const middle = body.length >> 1
  body[middle] = (body[middle] ?? 0) ^ 1
  return body
}

async function trickle(response: ServerResponse, result: S3Response, bytesPerSecond: number) {
  const body = Buffer.from(result.body ?? '')
  const step = Math.max(1, Math.floor(bytesPerSecond / 10))
  start(response, result)
  for (let sent = 0; sent < body.length && !response.destroyed; sent += step) {
    response.write(body.subarray(sent, sent + step))
    await sleep(100)
  }
  return response.end()
}
