import { describe, expect, it } from 'vitest'
import { formatNames, formats, formatsFor, listAccepted, listFormats, mimesFor, userOnlyFormats } from './formats.ts'

describe('the table of formats', () => {
  it('says what guests and users may upload', () => {
    expect(formatsFor('guest')).toEqual(['png', 'jpeg', 'webp'])
    expect(mimesFor('user')).toEqual(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml'])
  })

  it('lets users upload all that guests may', () => {
    expect(formatsFor('user')).toEqual(expect.arrayContaining([...formatsFor('guest')]))
  })

  it.each(['mime', 'label'] as const)('has no %s twice', (field) => {
    expect(new Set(formatNames.map((name) => formats[name][field])).size).toBe(formatNames.length)
  })

  it('has no extension twice', () => {
    const extensions = formatNames.flatMap((name) => [...formats[name].extensions])
    expect(new Set(extensions).size).toBe(extensions.length)
  })
})

describe('a list of formats for people', () => {
  it.each([
    ['PNG, JPEG or WebP', formatsFor('guest'), 'or'],
    ['GIF and SVG', userOnlyFormats, 'and'],
    ['PNG', ['png'], 'and'],
  ] as const)('reads %s', (text, names, conjunction) => {
    expect(listFormats(names, conjunction)).toBe(text)
  })

  it('names what may be uploaded, each name once', () => {
    expect(listAccepted('guest')).toBe('PNG, JPG, JPEG or WebP')
    expect(listAccepted('user')).toBe('PNG, JPG, JPEG, WebP, GIF or SVG')
    expect(listAccepted('guest', '/')).toBe('PNG, JPG/JPEG or WebP')
  })
})
