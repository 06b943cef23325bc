import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { displayName, fileNameStem, importedName, savedName } from './image-names.ts'

describe('displayName', () => {
  it.each([
    ['harbour.jpg', 'harbour.jpg'],
    ['', 'image'],
    ['   ', 'image'],
    ['...', 'image'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['a\\b/c.png', 'a_b_c.png'],
    ['line\nbreak\r\0.png', 'linebreak.png'],
    ['photo\u202Egnp.exe', 'photognp.exe'],
    ['zero\u200Bwidth\u{E0041}.png', 'zerowidth.png'],
    ['e\u0301.png', '\u00e9.png'],
    ['Überraschung & mehr.png', 'Überraschung & mehr.png'],
    ['e\u200B\u0301.png', '\u00e9.png'],
    ['\u3164\u115F\u034F\u{E0020}a\u2060.png', 'a.png'],
    ['\u2066a\u2069\uFEFF\u200F.png', 'a.png'],
    ['❤\uFE0F.png', '❤\uFE0F.png'],
    ['. .a. .', 'a'],
    ['CON', '_CON'],
    ['nul.png', '_nul.png'],
    ['Lpt1.tar.gz', '_Lpt1.tar.gz'],
    ['com¹.png', '_com¹.png'],
    ['console.png', 'console.png'],
    ['com10.png', 'com10.png'],
    ['..aux.png', '_aux.png'],
    [`${'a'.repeat(199)}. b`, 'a'.repeat(199)],
    ['\uD83D', 'image'],
  ])('makes %j into %j', (sent, shown) => {
    expect(displayName(sent)).toBe(shown)
  })

  it('cuts to 200 whole characters', () => {
    expect(Array.from(displayName('😀'.repeat(5000)))).toHaveLength(200)
  })

  it('of any text is normalized: NFC, bounded, trimmed, without invisible characters, and its own display name', () => {
    const pieces = fc.constantFrom(
      '\u202E',
      '\u0301',
      'e',
      '.',
      ' ',
      '/',
      '\0',
      'con',
      '\uD800',
      '\u{E0041}',
      '\u1100\u1161',
      '\uFDFA',
    )
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 900 }),
      fc.array(pieces, { maxLength: 900 }).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const name = displayName(text)
        expect(name).toBe(name.normalize('NFC'))
        expect(Array.from(name).length).toBeLessThanOrEqual(200)
        expect(name).not.toMatch(/^[. ]|[. ]$|^$|[/\\\p{Cc}\p{Cf}\p{Cs}]/u)
        expect(displayName(name)).toBe(name)
      }),
      { numRuns: 300, seed: 20_261_121 },
    )
  })

  it.each([
    ['a display name', displayName],
    ['a stem', fileNameStem],
  ])('reads at most 800 code units of a very long name for %s', (_, nameOf) => {
    for (const piece of ['/\u202E ', '-', 'ab']) {
      const long = piece.repeat(60_000)
      expect(nameOf(long)).toBe(nameOf(long.slice(0, 800)))
    }
  })
})

describe('fileNameStem', () => {
  it.each([
    ['Harbour at Dusk.JPG', 'harbour-at-dusk'],
    ['Überraschung.png', 'uberraschung'],
    ['Bild mit Lücke.jpg', 'bild-mit-lucke'],
    ['Bild mit Lu\u0308cke.jpg', 'bild-mit-lucke'],
    ['STRASSE & Straße.png', 'strasse-strasse'],
    ['Ærø Łódź œuvre Þór.webp', 'aero-lodz-oeuvre-thor'],
    ['Diyarbakır İstanbul.gif', 'diyarbakir-istanbul'],
    ['ﬁle ①.jpg', 'file-1'],
    ['中文.jpg', 'image'],
    ['日本.png', 'image'],
    ['.htaccess', 'htaccess'],
    ['a.tar.gz', 'a-tar'],
    ['<script>alert(1)</script>.png', 'script-alert-1-script'],
    ['x'.repeat(300), 'x'.repeat(60)],
    [`${'x'.repeat(59)}-y.png`, 'x'.repeat(59)],
  ])('makes %j into %j', (name, expected) => {
    expect(fileNameStem(name)).toBe(expected)
  })
})

describe('a name of 60,000 characters', () => {
  afterEach(() => vi.restoreAllMocks())

  it('is cut before any string operation processes it', () => {
    const walked = (['normalize', 'replace', 'toLowerCase'] as const).map((name) => vi.spyOn(String.prototype, name))
    for (const unit of ['a', '.', ' ', '/', '\u202E', '😀', '\uFDFA', 'a\u0301', '.a']) {
      const name = unit.repeat(60_000 / unit.length)
      displayName(name)
      fileNameStem(name)
      savedName(name, 'png')
    }
    const lengths = walked.flatMap((spy) => spy.mock.contexts.map((text) => String(text).length))
    vi.restoreAllMocks()
    expect(lengths.length).toBeGreaterThan(50)
    // 800 code units are read; the longest NFKD form of one character, U+FDFA, has 18.
    expect(Math.max(...lengths)).toBeLessThanOrEqual(800 * 18)
  })
})

it.each([
  ['A red boat', 'A red boat.jpg'],
  ['boat.JPEG', 'boat.JPEG'],
  ['boat.png', 'boat.png'],
  ['boat.txt', 'boat.txt.jpg'],
  ['png', 'png.jpg'],
  ['v1.2', 'v1.2.jpg'],
  ['', 'image.jpg'],
  ['a'.repeat(300), `${'a'.repeat(196)}.jpg`],
  [`${'a'.repeat(196)}.jpg`, `${'a'.repeat(196)}.jpg`],
])('the name %.20j of another host becomes %.20j', (sent, name) => {
  expect(importedName(sent, 'jpg')).toBe(name)
})
