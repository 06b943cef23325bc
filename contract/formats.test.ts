import { describe, expect, it } from 'vitest'
import { formatNames, formats, formatsFor, mimesFor, pixelFormats } from './formats.ts'

describe('the table of formats', () => {
  it('says what guests and users may upload', () => {
    expect(formatsFor('guest')).toEqual(['png', 'jpeg', 'webp'])
    expect(mimesFor('user')).toEqual(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml'])
  })

  it('lets users upload all that guests may', () => {
    expect(formatsFor('user')).toEqual(expect.arrayContaining([...formatsFor('guest')]))
  })

  it.each(['mime', 'loader', 'label'] as const)('has no %s twice', (field) => {
    expect(new Set(formatNames.map((name) => formats[name][field])).size).toBe(formatNames.length)
  })

  it('has no extension twice', () => {
    const extensions = formatNames.flatMap((name) => [...formats[name].extensions])
    expect(new Set(extensions).size).toBe(extensions.length)
  })

  it.each(pixelFormats)('has a signature of at most 12 bytes by which %s is recognised', (name) => {
    expect(formats[name].signatures.length).toBeGreaterThan(0)
    for (const signature of formats[name].signatures) expect(signature).toMatch(/^([0-9a-f]{2}|\.\.){1,12}$/)
  })
})
