import { expect, test } from 'vitest'
import { renderLanding } from './prerender.tsx'

test('the prerendered landing contains the site name only where the server replaces it', () => {
  const html = renderLanding()
  const marked = /(<span data-site-name=""[^>]*>)[^<]*/g
  expect(html.match(marked)).toHaveLength(3)
  expect(html.replace(marked, '$1')).not.toContain('Image Host')
})
