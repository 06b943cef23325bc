// Limits the memory of responses that clients have not received yet, over all connections.
import type { ServerResponse } from 'node:http'
import type { Metrics } from '../../metrics.ts'

/** Not counted: at most 10,000 connections have as much again in the system's send buffer. */
const uncountedBytes = 64 * 1024
/** Some large images at once; above it images are streamed in small pieces. */
const maxTotalBytes = 16 * 1024 ** 2

/** Whether so many bytes may be read into memory. True reserves them until the response closes. */
export type CanBuffer = (bytes: number) => boolean
export type ResponseBufferBudget = (response: ServerResponse) => CanBuffer

export function createResponseBufferBudget(metrics: Pick<Metrics, 'gauge'>): ResponseBufferBudget {
  let totalBytes = 0
  metrics.gauge(
    'unsent_bytes',
    'Bytes of responses above 64 kB in memory that clients have not received yet',
    () => totalBytes,
  )
  return (response) => (bytes) => {
    if (bytes <= uncountedBytes) return true
    // A closed response emits no further event that would release the bytes.
    if (totalBytes + bytes > maxTotalBytes || response.closed) return false
    totalBytes += bytes
    response.once('close', () => {
      totalBytes -= bytes
    })
    return true
  }
}
