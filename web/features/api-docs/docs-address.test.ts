import { expect, test } from 'vitest'
import { addressOf, addressText, type DocsAddress } from './docs-address.ts'

const first: DocsAddress = {
  tab: 'overview',
  authTab: 'bearer',
  category: 'all',
  q: '',
  endpoint: undefined,
  detail: 'examples',
}

test.each<[search: string, hash: string, Partial<DocsAddress>]>([
  ['', '', {}],
  ['', '#endpoints', { tab: 'endpoints' }],
  ['', '#authentication', { tab: 'authentication' }],
  ['', '#authentication/roles', { tab: 'authentication', authTab: 'roles' }],
  ['?category=api-keys', '#endpoints', { tab: 'endpoints', category: 'api-keys' }],
  ['?q=a+b%26c', '#endpoints', { tab: 'endpoints', q: 'a b&c' }],
  [
    '?category=auth&q=x&e=get-api-me&show=try',
    '#endpoints',
    { tab: 'endpoints', category: 'auth', q: 'x', endpoint: 'get-api-me', detail: 'try' },
  ],
])('reads and writes %s%s', (search, hash, expected) => {
  const address = { ...first, ...expected }
  expect(addressOf(search, hash)).toEqual(address)
  const [written = '', rest] = addressText(address).split('#')
  expect(addressOf(written, `#${rest}`)).toEqual(address)
})

test('a link to an endpoint, a category or a search shows the table', () => {
  for (const search of ['?e=post-api-upload', '?category=auth', '?q=x'])
    expect(addressOf(search, '').tab).toBe('endpoints')
})

test.each(['#main', '#endpoints2', '#__proto__', '#', '#%'])('%s names no tab: the current one stays', (hash) => {
  expect(addressOf('', hash, 'examples').tab).toBe('examples')
  expect(addressOf('', hash).tab).toBe('overview')
})

test('ignores unknown endpoints and categories', () => {
  expect(addressOf('?category=contact&show=constructor&e=', '#authentication/none')).toEqual({
    ...first,
    tab: 'authentication',
  })
  expect(addressOf(`?q=${'x'.repeat(5000)}`, '').q).toHaveLength(100)
})
