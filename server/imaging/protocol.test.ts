import { describe, expect, it } from 'vitest'
import { type Decodes, isJobFor } from './protocol.ts'

const outputs = { originalPath: '/o', thumbnailPath: '/t', listThumbnailPath: '/l', intermediatePath: '/i' }
const ingest = { kind: 'ingest', job: { sourcePath: '/a', allow: ['png', 'svg'], ...outputs }, mayBeLarge: false }
const render = {
  kind: 'render',
  job: { sourcePath: '/a', outPath: '/b', format: 'webp', width: 16_383, fit: 'cover', quality: 100, animated: true },
  mayBeHeavy: true,
}
const inspect = { kind: 'inspect', job: { sourcePath: '/a' } }
const ingestSvg = { kind: 'ingestSvg', job: { sourcePath: '/a', scale: 0.5, ...outputs } }
const rasterize = {
  kind: 'rasterize',
  job: { sourcePath: '/a', outPath: '/b', widthPx: 1, heightPx: 16_383, scale: 1 },
}
/** The message with other fields in its job. */
const changed = (message: { job: object }, fields: object) => ({ ...message, job: { ...message.job, ...fields } })

describe('isJobFor', () => {
  it.each<[Decodes, unknown]>([
    ['pixels', ingest],
    ['pixels', render],
    ['pixels', changed(render, { width: undefined, height: 1, quality: 1 })],
    ['pixels', changed(render, { format: 'avif', onlyPhotograph: true, blurPx: 100, background: '00ff00' })],
    ['pixels', inspect],
    ['pixels', { ...inspect, mayBeHeavy: true }],
    ['svg', ingestSvg],
    ['svg', rasterize],
  ])('accepts as a process for %s: %j', (decodes, message) => {
    expect(isJobFor(decodes, message)).toBe(true)
  })

  it.each<[Decodes, unknown]>([
    ['svg', ingest],
    ['svg', render],
    ['svg', inspect],
    ['pixels', ingestSvg],
    ['pixels', rasterize],
    ['pixels', { ...inspect, kind: 'other' }],
    ['pixels', { ...inspect, kind: 'toString' }],
    ['pixels', { kind: 'inspect' }],
    ['pixels', { kind: 'inspect', job: null }],
    ['pixels', null],
    ['pixels', 'inspect'],
    ['pixels', { ...ingest, mayBeLarge: undefined }],
    ['pixels', { ...render, mayBeHeavy: 1 }],
    ['pixels', { ...inspect, mayBeHeavy: 'yes' }],
    ...[
      { sourcePath: 1 },
      { originalPath: undefined },
      { thumbnailPath: {} },
      { intermediatePath: null },
      { allow: 'png' },
      { allow: ['png', 'tiff'] },
    ].map((fields): [Decodes, unknown] => ['pixels', changed(ingest, fields)]),
    ...[
      { sourcePath: undefined },
      { outPath: 1 },
      { format: 'svg' },
      { blurPx: 101 },
      { background: '#00ff00' },
      { onlyPhotograph: 1 },
      { width: 0 },
      { width: 16_384 },
      { height: 1.5 },
      { height: '9' },
      { fit: 'fill' },
      { quality: 0 },
      { quality: 101 },
      { quality: undefined },
      { animated: undefined },
    ].map((fields): [Decodes, unknown] => ['pixels', changed(render, fields)]),
    ['pixels', changed(inspect, { sourcePath: undefined })],
    ['svg', changed(ingestSvg, { scale: 2 })],
    ['svg', changed(ingestSvg, { originalPath: 1 })],
    ...[{ outPath: undefined }, { widthPx: 0 }, { heightPx: 16_384 }, { scale: undefined }].map(
      (fields): [Decodes, unknown] => ['svg', changed(rasterize, fields)],
    ),
  ])('rejects as a process for %s: %j', (decodes, message) => {
    expect(isJobFor(decodes, message)).toBe(false)
  })
})
