import { describe, expect, it } from 'vitest'
import { sqliteVersion } from './db/sqlite.ts'
import { imageLibraries, isOlder, requireMinimumVersions } from './versions.ts'

describe('the libraries', () => {
  it('that are installed meet the minimum versions', async () => {
    const found = { ...(await imageLibraries()), sqlite: await sqliteVersion() }
    expect(found).toMatchObject({ vips: expect.any(String), rsvg: expect.any(String), webp: expect.any(String) })
    expect(() => requireMinimumVersions(found)).not.toThrow()
  })

  it('that are too old are all named', () => {
    expect(() => requireMinimumVersions({ sqlite: '3.51.2', vips: '8.17.9', webp: '1.6.0', unknown: '0.0.1' })).toThrow(
      'Too old to be safe: sqlite 3.51.2 is older than 3.51.3, vips 8.17.9 is older than 8.18.7',
    )
  })

  it.each([
    ['3.51.3', '3.51.3', false],
    ['3.51.10', '3.51.3', false],
    ['3.9.0', '3.51.3', true],
    ['3.51', '3.51.3', true],
    ['4', '3.51.3', false],
    ['3.51.3-beta', '3.51.3', false],
    ['nonsense', '3.51.3', true],
  ])('%s against %s', (version, than, expected) => expect(isOlder(version, than)).toBe(expected))
})
