// Entry of the decoder process, in which hostile bytes are parsed and decoded. Its first argument
// is what it may decode; jobs arrive over the IPC channel.

import sharp from 'sharp'
import { pixelFormats } from '../../../contract/plain/formats.ts'
import { collage } from './collage.ts'
import { ingest } from './ingest.ts'
import { inspect } from './inspect-stored.ts'
import { pixelFormatRows } from './pixel-formats.ts'
import {
  type Decodes,
  type FromDecoder,
  type Job,
  type JobResult,
  kindsFor,
  maxCodeLength,
  maxMessageLength,
  type Outcome,
} from '../protocol.ts'
import { ImageRefused } from '../refusal.ts'
import { render } from './render.ts'

const pixelLoaders = pixelFormats.map((name) => pixelFormatRows[name].loader)

/** The process for SVGs decodes the images that are embedded in them. */
const loaders: Record<Decodes, string[]> = {
  pixels: pixelLoaders,
  svg: [...pixelLoaders, 'VipsForeignLoadSvgBuffer'],
}
const decodes = process.argv[2] === 'svg' ? 'svg' : 'pixels'

sharp.cache(false)
sharp.concurrency(1)
// Only loaders from memory: a path, or an image that refers to a file, finds no loader.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: loaders[decodes] })

// Not process.exit(): that waits for the decoding thread, whose result has no receiver any more.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

process.on('message', (message) => {
  send({ type: 'started' })
  const before = process.cpuUsage()
  void outcomeOf(message as Job).then((outcome) => {
    const { user, system } = process.cpuUsage(before)
    send({ type: 'ended', outcome, rssBytes: process.memoryUsage.rss(), cpuMs: (user + system) / 1000 })
  })
})

/** A process for pixels does not load what reads SVGs: a third of the time that its start takes. */
const svg = {
  ingest: () => import('./svg/ingest-svg.ts'),
  rasterize: () => import('./svg/rasterize.ts'),
}
// Before the first job, whose CPU time is limited.
if (decodes === 'svg') await Promise.all([svg.ingest(), svg.rasterize()])

send({ type: 'ready' })

function send(message: FromDecoder): void {
  process.send?.(message)
}

async function resultOf(job: Job): Promise<JobResult> {
  switch (job.kind) {
    case 'ingest':
      return ingest(job.job, job.mayBeLarge)
    case 'render':
      return render(job.job, job.mayBeHeavy)
    case 'inspect':
      return inspect(job.job, job.mayBeHeavy)
    case 'collage':
      return collage(job.job)
    case 'ingestSvg':
      return (await svg.ingest()).ingestSvg(job.job)
    case 'rasterize':
      return (await svg.rasterize()).rasterize(job.job)
  }
}

/** The text of an error can hold a path or a value of any length. */
const cut = (message: string) => message.slice(0, maxMessageLength)

async function outcomeOf(job: Job): Promise<Outcome> {
  try {
    if (!kindsFor[decodes].includes(job.kind)) throw new Error(`a process for ${decodes} takes no ${job.kind}`)
    return { kind: 'done', value: await resultOf(job) }
  } catch (error) {
    if (error instanceof ImageRefused) return { kind: 'refused', reason: error.reason, message: cut(error.message) }
    const message = error instanceof Error ? error.message : String(error)
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
    return { kind: 'failed', message: cut(message), ...(code && { code: code.slice(0, maxCodeLength) }) }
  }
}
