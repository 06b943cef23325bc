import { expect, it } from 'vitest'
import { inline, markup } from './html.ts'

it('escapes inserted texts, but not markup', () => {
  const item = (text: string) => markup`<li title="${text}">${text}</li>`
  expect(markup`<ul>${[item(`<b> & "'`), item('two')]}</ul>${5}${markup``}`.markup).toBe(
    '<ul><li title="&#60;b&#62; &#38; &#34;&#39;">&#60;b&#62; &#38; &#34;&#39;</li>\n<li title="two">two</li></ul>5',
  )
})

it('allows an inline element by its digest', () => {
  expect(inline('style', 'p{}')).toMatchObject({
    element: { markup: '<style>p{}</style>' },
    source: "'sha256-gG2yISYereRMiG2lMXrbiUgi0Ubw9p7QCeWcroOvy9Y='",
  })
})
