// What the server and its decoder processes say to each other.

import type { Elsewhere, Ingested, IngestJob } from './decoder/ingest.ts'
import type { Inspected, InspectJob } from './decoder/inspect.ts'
import type { RefusalReason } from './refusal.ts'
import type { Heavy, Rendered, RenderJob } from './decoder/render.ts'
import type { IngestSvgJob } from './decoder/svg/ingest-svg.ts'
import type { RasterizeJob } from './decoder/svg/rasterize.ts'

/** What a process may decode. librsvg is not fuzzed: what it could break shall not hold anyone's photographs. */
export type Decodes = 'pixels' | 'svg'

export type Job =
  | { kind: 'ingest'; job: IngestJob; mayBeLarge: boolean }
  | { kind: 'render'; job: RenderJob; mayBeHeavy: boolean }
  | { kind: 'inspect'; job: InspectJob; mayBeHeavy?: boolean }
  | { kind: 'ingestSvg'; job: IngestSvgJob }
  | { kind: 'rasterize'; job: RasterizeJob }

export type JobResult = Ingested | Elsewhere | Rendered | Inspected | Heavy | null

/** `code` is that of a system error (ENOSPC ...), so that the caller can tell a full disk from a fault. */
export type Outcome =
  | { kind: 'done'; value: JobResult }
  | { kind: 'refused'; reason: RefusalReason; message: string }
  | { kind: 'failed'; message: string; code?: string }

/** `ready` once after the start, then for each job `started` and `ended`. */
export type FromDecoder =
  | { type: 'ready' }
  | { type: 'started' }
  | { type: 'ended'; outcome: Outcome; rssBytes: number }

const outcomes: unknown[] = ['done', 'refused', 'failed'] satisfies Outcome['kind'][]

export function isFromDecoder(message: unknown): message is FromDecoder {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false
  if (message.type === 'ready' || message.type === 'started') return true
  if (message.type !== 'ended' || !('rssBytes' in message) || !('outcome' in message)) return false
  const { rssBytes, outcome } = message
  if (typeof rssBytes !== 'number' || typeof outcome !== 'object' || outcome === null) return false
  return 'kind' in outcome && outcomes.includes(outcome.kind)
}
