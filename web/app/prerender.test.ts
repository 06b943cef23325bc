import { expect, test } from 'vitest'
import { renderLanding } from './prerender.tsx'

test('the prerendered landing names the site only where the server can put its own name', () => {
  const html = renderLanding()
  const marked = /(<span data-site-name=""[^>]*>)[^<]*/g
  expect(html.match(marked)).toHaveLength(3)
  expect(html.replace(marked, '$1')).not.toContain('Image Host')
})
