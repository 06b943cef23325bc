import { expect, test } from 'vitest'
import { renderLanding } from './prerender.tsx'

test('the prerendered landing contains the site name only where the server replaces it', () => {
  const html = renderLanding()
  const marked = /(<span data-site-name=""[^>]*>)[^<]*/g
  expect(html.match(marked)).toHaveLength(3)
  expect(html.replace(marked, '$1')).not.toContain('Image Host')
})

test('the prerendered landing contains upload limits only where the server replaces them', () => {
  const html = renderLanding()
  const limits = [...html.matchAll(/<\w+ [^>]*data-limit="(\w+)"[^>]*>([^<]*)/g)].map(([, name, text]) => [name, text])
  expect(limits).toEqual([
    ['guestMaxBytes', expect.stringContaining('5 MB')],
    ['guestMaxBytes', expect.stringContaining('5 MB')],
    ['guestRetentionDays', 'Guest data is kept 60 days.'],
    ['userMaxBytes', expect.stringContaining('10 MB')],
    ['userRetentionDays', expect.stringContaining('365 days')],
  ])
  expect(html.replace(/data-limit="\w+"[^>]*>[^<]*/g, '')).not.toMatch(/\d (MB|days)/)
})
