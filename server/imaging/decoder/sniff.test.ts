import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pixelFormatRows } from './pixel-formats.ts'
import { sniff } from './sniff.ts'
import { animation, handGif, photo } from '../testing/hand-made-images.ts'

it.each([
  ['jpeg', () => photo().jpeg().toBuffer()],
  ['png', () => photo().png().toBuffer()],
  ['webp', () => photo().webp().toBuffer()],
  ['webp', () => animation('webp')],
  ['gif', () => handGif(1, 1, 1)],
  ['gif', () => Buffer.from('GIF87a and more')],
  [undefined, () => photo().tiff().toBuffer()],
  [undefined, () => Buffer.from('GIF88a and more')],
  [undefined, () => Buffer.from('RIFF1234WAVE and more')],
  [undefined, () => Buffer.from([0xff, 0xd8, 0xff])],
  ['svg', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['svg', () => Buffer.from('\ufeff<?xml version="1.0"?>\r\n<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['svg', () => Buffer.from('<!-- <html> --> <?x y?>\n<!DOCTYPE svg PUBLIC "a" "b">\n<svg\nwidth="9"/>')],
  ['svg', () => Buffer.from('<s:svg xmlns:s="http://www.w3.org/2000/svg"/>')],
  ['svg', () => Buffer.from(`<!--${'licence '.repeat(1000)}--><svg></svg>`)],
  [undefined, () => Buffer.from(`<!--${'licence '.repeat(10_000)}--><svg></svg>`)],
  [undefined, () => Buffer.from('<!-- a comment without an end <svg></svg>')],
  [undefined, () => Buffer.from('a text with <svg></svg> in it')],
  [undefined, () => Buffer.from('<html><svg></svg></html>')],
  [undefined, () => Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg></svg>')],
  [undefined, () => Buffer.from('<svgz></svgz> and more')],
  [undefined, () => Buffer.from('<SVG></SVG> and more')],
  [undefined, () => Buffer.from('<svg></svg> and more', 'utf16le')],
  [undefined, () => gzipSync('<svg></svg>')],
  [undefined, () => Buffer.from('\t'.repeat(100_000))],
  [undefined, () => Buffer.alloc(0)],
])('%s', async (format, make) => {
  expect(sniff(await make())).toBe(format)
})

it.each(Object.entries(pixelFormatRows))('%s has signatures of at most 12 bytes', (_, { signatures }) => {
  expect(signatures.length).toBeGreaterThan(0)
  for (const signature of signatures) expect(signature).toMatch(/^([0-9a-f]{2}|\.\.){1,12}$/)
})
