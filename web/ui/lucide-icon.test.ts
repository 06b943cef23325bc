import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import createIcon from './lucide-icon.ts'

const markupOf = (...node: [string, Record<string, string>][]) => renderToStaticMarkup(createIcon({ node })({}))

test('all paths of an icon are one element, and each starts where it did', () => {
  const markup = markupOf(
    ['path', { d: 'M9 12h6', key: '1' }],
    ['circle', { cx: '12', cy: '12', r: '10', key: '2' }],
    ['path', { d: 'm15 5 4 4', key: '3' }],
  )
  expect(markup).toContain('><path d="M9 12h6M0 0m15 5 4 4"></path><circle cx="12" cy="12" r="10"></circle></svg>')
})

test('an icon without a path is drawn as it is', () => {
  expect(markupOf(['circle', { cx: '12', cy: '12', r: '1', key: '1' }])).toContain('><circle cx="12" cy="12" r="1">')
})
