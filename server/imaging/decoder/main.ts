// The process in which hostile bytes are parsed and decoded. It knows its parent by the IPC channel, what it may decode by its
// first argument, and nothing else.

import sharp from 'sharp'
import { ingest } from './ingest.ts'
import { inspect } from './inspect.ts'
import type { Decodes, FromDecoder, Job, JobResult, Outcome } from '../protocol.ts'
import { ImageRefused } from '../refusal.ts'
import { render } from './render.ts'
import { ingestSvg } from './svg/ingest-svg.ts'
import { rasterize } from './svg/rasterize.ts'

const pixelLoaders = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
]
/** The process for SVGs proves the images that are embedded in them. */
const loaders: Record<Decodes, string[]> = {
  pixels: pixelLoaders,
  svg: ['VipsForeignLoadSvgBuffer', ...pixelLoaders],
}

/** librsvg is not fuzzed: the jobs of other images never run in the process that draws. */
const accepted: Record<Decodes, readonly Job['kind'][]> = {
  pixels: ['ingest', 'render', 'inspect'],
  svg: ['ingestSvg', 'rasterize'],
}
const decodes = process.argv[2] === 'svg' ? 'svg' : 'pixels'

sharp.cache(false)
sharp.concurrency(1)
// Only from memory: a path or a picture that refers to a file finds no reader.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: loaders[decodes] })

// Not process.exit(): that waits for the thread that is decoding, and with the parent gone nobody waits for it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

process.on('message', (message) => {
  say({ type: 'started' })
  void outcomeOf(message as Job).then((outcome) => {
    say({ type: 'ended', outcome, rssBytes: process.memoryUsage.rss() })
  })
})

say({ type: 'ready' })

function say(message: FromDecoder): void {
  process.send?.(message)
}

function resultOf(job: Job): Promise<JobResult> {
  if (!accepted[decodes].includes(job.kind)) throw new Error(`not a job for this process: ${job.kind}`)
  switch (job.kind) {
    case 'ingest':
      return ingest(job.job, job.mayBeLarge)
    case 'render':
      return render(job.job, job.mayBeHeavy)
    case 'inspect':
      return inspect(job.job, job.mayBeHeavy)
    case 'ingestSvg':
      return ingestSvg(job.job)
    case 'rasterize':
      return rasterize(job.job)
  }
}

async function outcomeOf(job: Job): Promise<Outcome> {
  try {
    return { kind: 'done', value: await resultOf(job) }
  } catch (error) {
    if (error instanceof ImageRefused) return { kind: 'refused', reason: error.reason, message: error.message }
    const message = error instanceof Error ? error.message : String(error)
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
    return { kind: 'failed', message, ...(code && { code }) }
  }
}
