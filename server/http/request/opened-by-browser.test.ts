import { expect, test } from 'vitest'
import { isOpenedByBrowser } from './opened-by-browser.ts'

const chrome = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'
const firefox = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const image = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

test.each([
  ['a navigation', { accept: chrome, 'sec-fetch-dest': 'document' }, true],
  ['a navigation of an old browser, or over plain HTTP', { accept: firefox }, true],
  ['an <img>', { accept: image, 'sec-fetch-dest': 'image' }, false],
  ['an <img> of an old browser', { accept: image }, false],
  ['an <img> that claims to accept HTML', { accept: chrome, 'sec-fetch-dest': 'image' }, false],
  ['a frame', { accept: chrome, 'sec-fetch-dest': 'iframe' }, false],
  ['fetch()', { accept: '*/*', 'sec-fetch-dest': 'empty' }, false],
  ['a navigation that refuses HTML', { accept: 'text/html;q=0, */*', 'sec-fetch-dest': 'document' }, false],
  ['curl', { accept: '*/*' }, false],
  ['no header', {}, false],
  ['a client of JSON', { accept: 'application/json, text/plain, */*' }, false],
  ['a client that prefers JSON', { accept: 'application/json, text/html;q=0.9' }, false],
  ['a client of both alike', { accept: 'text/html, application/json' }, false],
  ['a client that prefers HTML', { accept: 'application/json;q=0.5, text/html' }, true],
  ['a quality that is none', { accept: 'text/html;q=high, application/json;q=0.5' }, true],
  ['a header of thousands of types', { accept: `${'a/b,'.repeat(5000)}text/html` }, false],
] as const)('%s: %o is %s', (_, headers, opened) => {
  expect(isOpenedByBrowser(headers)).toBe(opened)
})
