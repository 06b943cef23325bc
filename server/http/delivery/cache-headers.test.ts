import { expect, it } from 'vitest'
import { cacheControl } from './cache-headers.ts'

const purged = 'https://cache.example/'

it.each([
  ['long before the expiry', 100_000, undefined, 3540, 3540, 60],
  ['within the last hour', 3570, undefined, 3540, 3540, 29],
  ['within the last minute', 59.9, undefined, 59, 58, 0],
  ['past the expiry', -1, undefined, 0, 0, 0],
  ['with purged caches, browsers as before', 100_000, purged, 3540, 86_340, 60],
  ['with purged caches, not past the expiry', 5000, purged, 3540, 4999, 0],
])('%s', (_, leftS, url, maxAge, shared, stale) => {
  const row = { visibility: 'public', named: null, expires_at: 1_000_000 + leftS * 1000 } as const
  expect(cacheControl({ PURGE_URL: url }, row, 1_000_000)).toBe(
    `public, max-age=${maxAge}, s-maxage=${shared}, stale-while-revalidate=${stale}`,
  )
})
