// The loaders of docs/image-urls.md, run as they are written there.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { api } from '../contract/endpoints/api.ts'
import { widthLadder } from '../contract/plain/width-ladder.ts'

const page = readFileSync(new URL('../docs/image-urls.md', import.meta.url), 'utf8')
const src = 'https://img.example.com/i/q7Xn2vTfRkG0aYhLz4WbEg.jpg'

/** What the module below a heading exports, with stand-ins for what it imports. */
function loaderOf(heading: string): never {
  const code = /```js\n([^]*?)```/.exec(page.split(`\n### ${heading}\n`)[1] ?? '')?.[1] ?? ''
  const body = code.replace(/^import .*$/gm, '').replace('export default', 'return')
  // oxlint-disable-next-line typescript/no-implied-eval -- the code is our own page
  return new Function('defineProvider', 'baseService', body)((provider: object) => provider, {}) as never
}

const next = loaderOf('Next.js') as (input: object) => string
const nuxt = loaderOf('Nuxt') as { getImage: (src: string, context: object) => { url: string } }
const astro = loaderOf('Astro') as { getURL: (options: object) => string }
const unpic = loaderOf('unpic') as (src: string, operations: object) => string

it.each([
  ['Next.js', () => next({ src, width: 640 }), '?w=640&fmt=auto'],
  ['Next.js with a quality', () => next({ src, width: 640, quality: 70 }), '?w=640&q=70&fmt=auto'],
  ['Nuxt', () => nuxt.getImage(src, { modifiers: { width: 640, format: undefined } }).url, '?w=640&fmt=auto'],
  [
    'Nuxt with everything',
    () =>
      nuxt.getImage(src, {
        modifiers: { width: 64, height: 32, fit: 'contain', quality: 70, format: 'webp', blur: 3, background: '#fff' },
      }).url,
    '?w=64&h=32&fit=contain&q=70&fmt=webp&blur=3&bg=%23fff',
  ],
  ['Astro', () => astro.getURL({ src, width: 640, height: 480, format: 'webp' }), '?w=640&fmt=auto'],
  [
    'Astro with a box',
    () => astro.getURL({ src, width: 640, height: 480, fit: 'cover', quality: null }),
    '?w=640&h=480&fit=cover&fmt=auto',
  ],
  ['unpic', () => unpic(src, { width: 640, height: 480 }), '?w=640&h=480&fmt=auto'],
])('%s', (_, url, expected) => {
  expect(url()).toBe(src + expected)
  const query = Object.fromEntries(new URL(url()).searchParams)
  expect(api.getImageFile.query.safeParse(query).success).toBe(true)
})

it('the sizes that Next.js requests are widths of the ladder', () => {
  const lists = [...page.matchAll(/(?:deviceSizes|imageSizes): \[([\d, ]+)\]/g)].map(([, list = '']) => list)
  const sizes = lists.flatMap((list) => list.split(', ').map(Number))
  const known: readonly number[] = widthLadder
  expect(sizes.length).toBeGreaterThan(5)
  expect(sizes.filter((size) => !known.includes(size))).toEqual([])
})
