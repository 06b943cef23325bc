import { describe, expect, it } from 'vitest'
import type { IngestJob, Job } from '../protocol.ts'
import { readMessage } from './messages.ts'

const paths = { sourcePath: '/s', originalPath: '/o', thumbnailPath: '/t', intermediatePath: '/i' }
const allow: IngestJob['allow'] = ['png', 'jpeg']
const ingest: Job = { kind: 'ingest', job: { ...paths, allow }, mayBeLarge: false }
const ingestSvg: Job = { kind: 'ingestSvg', job: { ...paths, scale: 1 } }
const render: Job = {
  kind: 'render',
  job: { sourcePath: '/s', outPath: '/o', format: 'webp', fit: 'inside', quality: 80, animated: false },
  mayBeHeavy: false,
}
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
  intermediate: null,
}
const rendered = { widthPx: 40, heightPx: 30, frames: 1 }
const done = (value: unknown) => ({ type: 'ended', rssBytes: 1, outcome: { kind: 'done', value } })

describe('readMessage', () => {
  it.each<[string, Job | undefined, unknown]>([
    ['ready without a job', undefined, { type: 'ready' }],
    ['started', ingest, { type: 'started' }],
    ['a failure', ingest, { type: 'ended', rssBytes: 1, outcome: { kind: 'failed', message: 'x', code: 'ENOSPC' } }],
    ['a refusal', ingest, { type: 'ended', rssBytes: 1, outcome: { kind: 'refused', reason: 'broken', message: 'x' } }],
    ['an ingested image', ingest, done(image)],
    ['a reroute', ingest, done('large')],
    ['a reroute to the lane for SVGs', { ...ingest, job: { ...ingest.job, allow: [...allow, 'svg'] } }, done('svg')],
    ['an ingested SVG', ingestSvg, done({ ...image, format: 'svg', intermediate: { format: 'png' } })],
    ['a rendered variant', render, done(rendered)],
    ['a heavy render', render, done('heavy')],
    ['a raster', rasterize, done(null)],
  ])('returns %s', (_, job, message) => {
    expect(readMessage(message, job)).toEqual(message)
  })

  it.each<[string, Job | undefined, unknown]>([
    ['no message', ingest, null],
    ['a text', ingest, 'ready'],
    ['an unknown type', ingest, { type: 'other' }],
    ['an unknown outcome', ingest, { type: 'ended', rssBytes: 1, outcome: { kind: 'owned' } }],
    ['no outcome', ingest, { type: 'ended', rssBytes: 1, outcome: null }],
    ['no memory figure', ingest, { type: 'ended', outcome: { kind: 'failed', message: 'x' } }],
    [
      'an unknown reason',
      ingest,
      { type: 'ended', rssBytes: 1, outcome: { kind: 'refused', reason: 'x', message: '' } },
    ],
    ['the end of no job', undefined, done(image)],
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
    ['half a pixel', render, done({ ...rendered, widthPx: 1.5 })],
    ['a placeholder that is no colour', ingest, done({ ...image, placeholder: 'url(x)' })],
    ['an inspection without colours', inspect, done({})],
    ['a value for a raster', rasterize, done(rendered)],
  ])('rejects %s', (_, job, message) => {
    expect(readMessage(message, job)).toBeUndefined()
  })
})
