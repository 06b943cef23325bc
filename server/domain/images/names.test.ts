import { describe, expect, it } from 'vitest'
import { displayName, slug } from './names.ts'

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
  ])('makes %j into %j', (sent, shown) => {
    expect(displayName(sent)).toBe(shown)
  })

  it('cuts to 200 characters, whole ones', () => {
    expect(Array.from(displayName('😀'.repeat(5000)))).toHaveLength(200)
  })

  it('is quick on very long names', () => {
    const before = performance.now()
    displayName('/\u202E '.repeat(20_000))
    slug('-'.repeat(60_000))
    expect(performance.now() - before).toBeLessThan(50)
  })
})

describe('slug', () => {
  it.each([
    ['Harbour at Dusk.JPG', 'harbour-at-dusk'],
    ['Überraschung.png', 'u-berraschung'],
    ['日本.png', 'image'],
    ['.htaccess', 'htaccess'],
    ['a.tar.gz', 'a-tar'],
    ['<script>alert(1)</script>.png', 'script-alert-1-script'],
    ['x'.repeat(300), 'x'.repeat(60)],
    [`${'x'.repeat(59)}-y.png`, 'x'.repeat(59)],
  ])('makes %j into %j', (name, expected) => {
    expect(slug(name)).toBe(expected)
  })
})
