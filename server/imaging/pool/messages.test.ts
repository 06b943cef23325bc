import { describe, expect, it } from 'vitest'
import type { IngestJob, Job } from '../protocol.ts'
import { type DecoderState, readMessage } from './messages.ts'

const paths = {
  sourcePath: '/s',
  originalPath: '/o',
  thumbnailPath: '/t',
  listThumbnailPath: '/l',
  intermediatePath: '/i',
}
const allow: IngestJob['allow'] = ['png', 'jpeg']
const ingest = { kind: 'ingest', job: { ...paths, allow }, mayBeLarge: false } satisfies Job
const ingestSvg: Job = { kind: 'ingestSvg', job: { ...paths, scale: 1 } }
const render = {
  kind: 'render',
  job: { sourcePath: '/s', outPath: '/o', format: 'webp', fit: 'inside', quality: 80, animated: false },
  mayBeHeavy: false,
} satisfies Job
const rasterize: Job = {
  kind: 'rasterize',
  job: { sourcePath: '/s', outPath: '/o', widthPx: 1, heightPx: 1, scale: 1 },
}
const inspect: Job = { kind: 'inspect', job: { sourcePath: '/s' }, mayBeHeavy: true }
const image = {
  format: 'png',
  widthPx: 40,
  heightPx: 30,
  frames: 1,
  hasAlpha: false,
  placeholder: '#369abc',
  blur: 'UklGRg==',
  phashes: Array<string>(8).fill('0123456789abcdef'),
  phashQuality: 100,
  intermediate: null,
}
const rendered = { widthPx: 40, heightPx: 30, frames: 1 }
const animation = { ...image, format: 'gif', widthPx: 1000, heightPx: 1000, frames: 100 }
const everyFormat: Job = { ...ingest, job: { ...ingest.job, allow: ['png', 'gif', 'webp'] } }
const animatedRender = { ...render, job: { ...render.job, animated: true } } satisfies Job
const failed = (message: string) => ({ type: 'ended', rssBytes: 1, cpuMs: 1, outcome: { kind: 'failed', message } })
/** The state in which the job has started. */
const during = (job: Job): DecoderState => ({ isReady: true, job, wasStarted: true })
const done = (value: unknown) => ({ type: 'ended', rssBytes: 1, cpuMs: 1, outcome: { kind: 'done', value } })

describe('readMessage', () => {
  it.each<[string, Job, unknown]>([
    [
      'a failure',
      ingest,
      { type: 'ended', rssBytes: 1, cpuMs: 1, outcome: { kind: 'failed', message: 'x', code: 'ENOSPC' } },
    ],
    [
      'a refusal',
      ingest,
      { type: 'ended', rssBytes: 1, cpuMs: 1, outcome: { kind: 'refused', reason: 'broken', message: 'x' } },
    ],
    ['an ingested image', ingest, done(image)],
    ['a reroute', ingest, done('large')],
    ['a reroute to the lane for SVGs', { ...ingest, job: { ...ingest.job, allow: [...allow, 'svg'] } }, done('svg')],
    ['an ingested SVG', ingestSvg, done({ ...image, format: 'svg', intermediate: { format: 'png' } })],
    ['a rendered variant', render, done(rendered)],
    ['a heavy render', render, done('heavy')],
    ['a raster', rasterize, done(null)],
    ['an image of 50 megapixels', ingest, done({ ...image, widthPx: 10_000, heightPx: 5000 })],
    ['an animation of 100 megapixels', everyFormat, done(animation)],
    ['an animated variant', animatedRender, done({ ...rendered, frames: 5 })],
    ['a message of 10,000 characters', ingest, failed('x'.repeat(10_000))],
  ])('returns %s', (_, job, message) => {
    expect(readMessage(message, during(job))).toEqual(message)
  })

  it.each<[string, Job, unknown]>([
    ['no message', ingest, null],
    ['a text', ingest, 'ready'],
    ['an unknown type', ingest, { type: 'other' }],
    ['an unknown outcome', ingest, { type: 'ended', rssBytes: 1, cpuMs: 1, outcome: { kind: 'owned' } }],
    ['no outcome', ingest, { type: 'ended', rssBytes: 1, cpuMs: 1, outcome: null }],
    ['no memory figure', ingest, { type: 'ended', cpuMs: 1, outcome: { kind: 'failed', message: 'x' } }],
    ['no CPU time', ingest, { type: 'ended', rssBytes: 1, outcome: { kind: 'failed', message: 'x' } }],
    [
      'an unknown reason',
      ingest,
      { type: 'ended', rssBytes: 1, cpuMs: 1, outcome: { kind: 'refused', reason: 'x', message: '' } },
    ],
    ['a format outside of the allowed ones', ingest, done({ ...image, format: 'gif' })],
    [
      'an SVG as the result of a pixel decoder',
      { ...ingest, job: { ...ingest.job, allow: ['svg'] } },
      done({ ...image, format: 'svg' }),
    ],
    ['an SVG where none is allowed', ingest, done('svg')],
    ['another format of an SVG job', ingestSvg, done(image)],
    ['a second reroute', { ...ingest, mayBeLarge: true }, done('large')],
    ['a heavy render in the lane for those', { ...render, mayBeHeavy: true }, done('heavy')],
    ['the result of another kind of job', render, done(image)],
    ['an unknown field', ingest, done({ ...image, sha256: 'x' })],
    ['a missing field', ingest, done({ ...image, hasAlpha: undefined })],
    ['a side beyond the limit', ingest, done({ ...image, widthPx: 16_384 })],
    ['more pixels than the limit', ingest, done({ ...image, widthPx: 16_383, heightPx: 16_383 })],
    ['a variant of more pixels than the limit', render, done({ ...rendered, widthPx: 16_383, heightPx: 16_383 })],
    [
      'an SVG of more pixels than the limit',
      ingestSvg,
      done({ ...image, format: 'svg', widthPx: 10_000, heightPx: 5001 }),
    ],
    ['more pixels of all frames than the limit', everyFormat, done({ ...animation, frames: 101 })],
    ['a PNG of 300 frames', everyFormat, done({ ...image, frames: 300 })],
    ['an SVG of two frames', ingestSvg, done({ ...image, format: 'svg', frames: 2 })],
    ['frames of a variant that is not animated', render, done({ ...rendered, frames: 2 })],
    [
      'frames of a variant in PNG',
      { ...animatedRender, job: { ...animatedRender.job, format: 'png' } },
      done({ ...rendered, frames: 2 }),
    ],
    ['a message of 10,001 characters', ingest, failed('x'.repeat(10_001))],
    ['half a pixel', render, done({ ...rendered, widthPx: 1.5 })],
    ['a placeholder that is no colour', ingest, done({ ...image, placeholder: 'url(x)' })],
    ['a blur that is no base64', ingest, done({ ...image, blur: 'UklG) url(x)' })],
    ['a long blur', ingest, done({ ...image, blur: 'UklG'.repeat(251) })],
    ['seven perceptual hashes', ingest, done({ ...image, phashes: image.phashes.slice(1) })],
    ['nine perceptual hashes', ingest, done({ ...image, phashes: [...image.phashes, '0123456789abcdef'] })],
    ['a long perceptual hash', ingest, done({ ...image, phashes: image.phashes.map((hash) => `${hash}0`) })],
    ['a quality above 100', ingest, done({ ...image, phashQuality: 101 })],
    ['an inspection without colours', inspect, done({})],
    ['a value for a raster', rasterize, done(rendered)],
  ])('rejects %s', (_, job, message) => {
    expect(readMessage(message, during(job))).toBeUndefined()
  })
  const [ready, started, ended] = [{ type: 'ready' }, { type: 'started' }, failed('x')]
  it.each<[string, DecoderState, object[]]>([
    ['a process that starts', { isReady: false, job: undefined, wasStarted: false }, [ready]],
    ['a process that starts for a job', { isReady: false, job: ingest, wasStarted: false }, [ready]],
    ['an idle process', { isReady: true, job: undefined, wasStarted: false }, []],
    ['a process that received a job', { isReady: true, job: ingest, wasStarted: false }, [started]],
    ['a process that runs a job', { isReady: true, job: ingest, wasStarted: true }, [ended]],
  ])('returns the message that is due, of %s', (_, state, due) => {
    expect([ready, started, ended].filter((message) => readMessage(message, state))).toEqual(due)
  })
})
