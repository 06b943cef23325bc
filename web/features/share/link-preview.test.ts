import { expect, test } from 'vitest'
import { previewIn } from './link-preview.ts'

const tag = (property: string, content: string) => `<meta property="${property}" content="${content}">`
const page = (...tags: string[]) => `<!doctype html><html><head>${tags.join('\n')}</head><body></body></html>`

test('the preview is what the tags of the page say', () => {
  const html = page(
    tag('og:site_name', 'Image Host'),
    tag('og:title', 'Boats &#38; &#34;sea&#34; &#60;b&#62;'),
    tag('og:description', 'It&#39;s dusk'),
    tag('og:image', 'https://i.example/i/a.jpg?w=1200&#38;fmt=jpeg'),
    tag('og:image:width', '1200'),
    tag('og:image:height', '800'),
    tag('og:image:alt', 'Boats'),
  )
  expect(previewIn(html)).toEqual({
    site: 'Image Host',
    title: 'Boats & "sea" <b>',
    description: "It's dusk",
    image: { url: 'https://i.example/i/a.jpg?w=1200&fmt=jpeg', alt: 'Boats', width: 1200, height: 800 },
  })
})

test('a page without an image has a preview without one', () => {
  expect(previewIn(page(tag('og:title', 'Sea')))).toEqual({ site: '', title: 'Sea', description: '' })
})
