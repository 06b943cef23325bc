// Answers in memory that clients have not taken yet: how much of them there may be, whoever asks for how many.
import type { ServerResponse } from 'node:http'
import type { MayHold } from '../../blobs/blob-store.ts'
import type { Metrics } from '../../metrics.ts'

/** Not counted: 10,000 connections are the most there are, and the system takes this much of each off our hands. */
const smallBytes = 64 * 1024
/** Some dozen large pictures at once; then pictures are streamed, a quarter of a small one at a time. */
const mostTogether = 64 * 1024 ** 2

/** @returns asks for one answer; what it is let hold counts until that has gone or its client has */
export type Unsent = (response: ServerResponse) => MayHold

export function countUnsent(metrics: Pick<Metrics, 'gauge'>): Unsent {
  let together = 0
  metrics.gauge(
    'unsent_bytes',
    'Bytes of answers above 64 kB in memory that clients have not taken yet',
    () => together,
  )
  return (response) => (bytes) => {
    if (bytes <= smallBytes) return true
    // Of one that is closed already nobody would tell that it has gone.
    if (together + bytes > mostTogether || response.closed) return false
    together += bytes
    response.once('close', () => {
      together -= bytes
    })
    return true
  }
}
