import { expect, it } from 'vitest'
import { sniff } from './sniff.ts'
import { animation, handGif, photo } from './testing/pictures.ts'

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
  [undefined, () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  [undefined, () => Buffer.alloc(0)],
])('%s', async (format, make) => {
  expect(sniff(await make())).toBe(format)
})
