import { execFileSync } from 'node:child_process'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { codeFormats, codeLines, codeText } from './code-formats.ts'
import {
  embedSourceOf,
  initialAlt,
  linkTargets,
  widthsOf,
  type EmbeddedImage,
  type EmbedWidth,
  type LinkTarget,
} from './embedded-image.ts'

const origin = 'https://i.example'
const image: EmbeddedImage = {
  id: 'Abc-_123',
  url: `${origin}/uploads/harbour-Abc-_123.jpg`,
  name: 'harbour.jpg',
  width: 2400,
  height: 1600,
  mime: 'image/jpeg',
  frames: 1,
}
const idsOf = codeFormats.map(({ id }) => id)

interface Given {
  image?: Partial<EmbeddedImage>
  width?: EmbedWidth
  alt?: string
  isResponsive?: boolean
  linkTarget?: LinkTarget
}

function codeOf(id: string, given: Given = {}): string {
  const format = codeFormats.find((one) => one.id === id)
  if (format === undefined) throw new Error(id)
  const all = { ...image, ...given.image }
  const { width = 800, isResponsive = true, linkTarget = 'none' } = given
  const picture = embedSourceOf(all, { width, isResponsive, linkTarget, fmt: format.fmt }, origin)
  return codeText(codeLines(format, all, picture, given.alt ?? 'A harbour'))
}

test('the formats are in a fixed order', () => {
  expect(idsOf).toEqual(
    'html react vue angular flutter laravel markdown wordpress ios android jquery python'.split(' '),
  )
})

const widths = [320, 400, 512, 640, 800, 1000, 1200, 1400, 1600, 2000, 2400]
const htmlUrl = (width: number) => `https://i.example/i/Abc-_123.jpg?w=${width}&amp;fmt=auto`

test('HTML, to the letter', () => {
  expect(codeOf('html')).toBe(`<img
  src="${htmlUrl(800)}"
  srcset="${widths.map((width) => `${htmlUrl(width)} ${width}w`).join(', ')}"
  sizes="(max-width: 800px) 100vw, 800px"
  width="800" height="533"
  alt="A harbour"
  loading="lazy" decoding="async"
  style="max-width: 100%; height: auto"
>`)
})

test('HTML with a link, to the letter', () => {
  expect(codeOf('html', { linkTarget: 'page', isResponsive: false })).toBe(`<a href="https://i.example/i/Abc-_123">
  <img
    src="${htmlUrl(800)}"
    width="800" height="533"
    alt="A harbour"
    loading="lazy" decoding="async"
    style="max-width: 100%; height: auto"
  >
</a>`)
})

test('WordPress, to the letter', () => {
  expect(codeOf('wordpress', { linkTarget: 'image' })).toBe(
    [
      '<!-- wp:image {"width":"800px","sizeSlug":"large","linkDestination":"custom"} -->',
      `<figure class="wp-block-image size-large is-resized"><a href="https://i.example/uploads/harbour-Abc-_123.jpg"><img src="${htmlUrl(800)}" alt="A harbour" style="width:800px"/></a></figure>`,
      '<!-- /wp:image -->',
    ].join('\n'),
  )
})

test.each([
  ['angular', '`https://i.example/i/${src}?w=${width ?? 800}&fmt=auto`'],
  ['angular', `ngSrc="Abc-_123.jpg" ngSrcset="${widths.map((width) => `${width}w`).join(', ')}"`],
  ['flutter', 'aspectRatio: 800 / 533,'],
  ['flutter', "semanticLabel: 'A harbour',"],
  ['android', '.aspectRatio(800f / 533f),'],
  ['android', 'contentDescription = "A harbour",'],
  ['ios', '.aspectRatio(800.0 / 533.0, contentMode: .fit)'],
  ['react', 'width={800}'],
  ['laravel', "'width' => 800,"],
  ['jquery', '.attr({ width: 800, height: 533 })'],
  ['markdown', `![A harbour](${origin}/i/Abc-_123.jpg?w=800&fmt=auto)`],
  ['python', `requests.get("${origin}/i/Abc-_123.jpg?w=800&fmt=webp", timeout=10)`],
])('%s says %s', (id, part) => {
  expect(codeOf(id)).toContain(part)
})

describe.each(idsOf)('%s', (id) => {
  const every: Given[] = [
    {},
    { isResponsive: false },
    { alt: '' },
    { width: 'original' },
    { image: { width: 300, height: 200 }, width: 'original' },
    { image: { width: 0, height: 0 } },
    { image: { width: 0, height: 0 }, width: 'original', alt: '' },
    { image: { mime: 'image/gif', frames: 12 } },
    { image: { mime: 'image/svg+xml' }, width: 'original' },
    { linkTarget: 'image' },
    { linkTarget: 'page', alt: '', image: { width: 0, height: 0 } },
  ]

  test.each(every)('has nothing unfilled: %j', (given) => {
    const code = codeOf(id, given)
    expect(code.length).toBeGreaterThan(40)
    expect(code).not.toMatch(/__|undefined|NaN/)
  })

  test.each(['image/gif', 'image/webp'])('shows an animated %s as it is', (mime) => {
    const code = codeOf(id, { image: { mime, frames: 12 } })
    expect(code).toContain(image.url)
    expect(code).not.toContain('/i/')
  })

  test('has no choice of sources when it is not responsive', () => {
    expect(codeOf(id, { isResponsive: false })).not.toMatch(/srcset|1600/i)
  })

  test('leads where it was chosen, or nowhere', () => {
    const isLink = /<a |href|\]\(.*\]\(/
    const [none, toImage, toPage] = linkTargets.map((linkTarget) => codeOf(id, { linkTarget }))
    expect(none).not.toMatch(isLink)
    if (codeFormats.find((format) => format.id === id)?.fmt === 'webp') {
      expect([toImage, toPage]).toEqual([none, none])
    } else {
      expect(toImage).toMatch(isLink)
      expect(toImage).toContain(image.url)
      expect(toPage).toMatch(new RegExp(`${origin}/i/Abc-_123[ "')]`))
      expect(toPage).not.toContain(image.url)
    }
  })
})

test.each([
  ['ios', '.accessibilityHidden(true)'],
  ['android', 'contentDescription = null'],
  ['flutter', 'excludeFromSemantics: true'],
  ['html', 'alt=""'],
  ['markdown', '![]('],
])('a decorative image in %s', (id, part) => {
  expect(codeOf(id, { alt: ' ' })).toContain(part)
  expect(codeOf(id)).not.toContain(part)
})

const nasty = [
  '" onerror="alert(1)',
  "' onerror='alert(1)",
  '\\',
  '\\" + alert(1) + "\\',
  "\\' + x() + '",
  '${alert(1)} $x $$',
  '{{ constructor.constructor("alert(1)")() }}',
  '{!! phpinfo() !!} }} {{',
  '\\(fatalError())',
  '</script><script>alert(1)</script><!--',
  '--> <!-- wp:html -->',
  '*/ alert(1) /*',
  '`;alert(1);`',
  '@if(true) @php die; @endphp <?php die ?>',
  '](javascript:alert(1)) [x]: y',
  '[gallery ids="1"]',
  '&quot; &#123;&#123;x&#125;&#125;',
  'a\r\nb\u2028c\u2029d\u0000e\u0085f',
  '\u202egpj.exe\u2066 \u{1f469}\u200d\u{1f467} \ud800',
  '"""\'\'\' # coding: utf-7',
  '__URL__ __H__',
]

/** The value that every language must read from the code. */
const meant = (alt: string) =>
  alt
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim()

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const fromHtml = (inside: string) =>
  inside.replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) => (code ? String.fromCodePoint(code) : entities[name]!))
const fromBackslashes = (inside: string) =>
  inside.replace(/\\x([\dA-F]{2})|\\(.)/gs, (_, hex, sign) => (hex ? String.fromCharCode(parseInt(hex, 16)) : sign))

/** Matches the content of a string literal without escapes and interpolation of that language. */
const literals: Record<string, { inside: RegExp; read: (inside: string) => string }> = {
  html: { inside: /^[^"<>]*$/, read: fromHtml },
  react: { inside: /^[^"<>]*$/, read: fromHtml },
  vue: { inside: /^([^"\\<]|\\["\\]|\\x3C)*$/, read: fromBackslashes },
  angular: {
    inside: /^([^"<>`$\\{]|\{\{ '\{' \}\})*$/,
    read: (inside) => fromHtml(inside.replaceAll("{{ '{' }}", '{')),
  },
  flutter: { inside: /^([^'\\$]|\\['\\$])*$/, read: fromBackslashes },
  laravel: { inside: /^([^"\\${}@<]|\\["\\$]|\\x[\dA-F]{2})*$/, read: fromBackslashes },
  markdown: { inside: /^([^\\[\]<>&*_`~|"]|\\[\\[\]<>&*_`~|"])*$/, read: fromBackslashes },
  wordpress: { inside: /^[^"<>[\]]*$/, read: fromHtml },
  ios: { inside: /^([^"\\]|\\["\\])*$/, read: fromBackslashes },
  android: { inside: /^([^"\\$]|\\["\\$])*$/, read: fromBackslashes },
  jquery: { inside: /^([^"\\<]|\\["\\]|\\x3C)*$/, read: fromBackslashes },
  python: { inside: /^([^"\\]|\\["\\])*$/, read: fromBackslashes },
}

test('every format has a literal for the tests of hostile texts', () => {
  expect(Object.keys(literals).sort()).toEqual(codeFormats.map(({ id }) => id).sort())
})

describe.each(Object.entries(literals))('%s', (id, { inside, read }) => {
  test.each(nasty)('keeps %j within its literal, whole', (alt) => {
    const around = codeOf(id, { alt: 'SAFE' }).split('SAFE')
    const code = codeOf(id, { alt })
    const count = around.length - 1
    const length = (code.length - around.join('').length) / count
    const literal = code.slice(around[0]!.length, around[0]!.length + length)
    expect(code).toBe(around.join(literal))
    expect(literal).toMatch(inside)
    expect(literal).not.toMatch(/[\n\r\u2028\u2029]/)
    expect(read(literal)).toBe(meant(alt))
  })
})

/** Every string that a parser finds in the code. */
function stringsIn(file: string, code: string): unknown[] {
  const { program, errors } = parseSync(file, code)
  expect(errors).toEqual([])
  const found: unknown[] = []
  JSON.stringify(program, (_, node) => {
    if (node?.type === 'Literal') found.push(node.value)
    if (node?.type === 'TemplateElement') found.push(node.value.cooked)
    return node
  })
  return found
}

describe.each(nasty)('real parsers of %j', (alt) => {
  test('TSX', () => {
    const found = stringsIn('a.tsx', codeOf('react', { alt })).map((text) =>
      typeof text === 'string' ? fromHtml(text) : '',
    )
    expect(found).toContain(meant(alt))
  })

  test('Vue: the alt text does not end the script', () => {
    const script = /<script[^>]*>([\s\S]*?)<\/script>/.exec(codeOf('vue', { alt }))?.[1] ?? ''
    expect(stringsIn('a.ts', script)).toContain(meant(alt))
  })

  test('Angular: the template is one string without interpolation', () => {
    const template = stringsIn('a.ts', codeOf('angular', { alt })).find(
      (text) => typeof text === 'string' && text.includes('<img'),
    )
    expect(template).toMatch(/^\s*<img [^<>]*\/>\s*$/)
  })

  test('JavaScript', () => {
    expect(stringsIn('a.js', codeOf('jquery', { alt }))).toContain(meant(alt))
  })
})

test('Python reads every alt text unchanged', (context) => {
  const read =
    'import ast,sys,json\nprint(json.dumps([[n.value for n in ast.walk(ast.parse(c)) if isinstance(n, ast.Constant)] for c in json.load(sys.stdin)]))'
  let found: string
  try {
    found = execFileSync('python3', ['-c', read], {
      input: JSON.stringify(nasty.map((alt) => codeOf('python', { alt }))),
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    context.skip('there is no Python on this machine')
    return
  }
  const strings = JSON.parse(found) as unknown[][]
  for (const [at, alt] of nasty.entries()) expect(strings[at]).toContain(meant(alt))
})

test.each(idsOf)('%s with an address and an id that want to break out', (id) => {
  const evil = '"\'`${x}{{x}}\\(y)</script>@if()[a]\n'
  const code = codeOf(id, { image: { id: evil, url: `${origin}/${evil}`, mime: 'image/gif', frames: 3 } })
  expect(code.split('\n')).toHaveLength(codeOf(id, { image: { mime: 'image/gif', frames: 3 } }).split('\n').length)
  expect(code).not.toMatch(/<\/script>(?!\n\n<template>)|\{\{x/)
  if (id === 'laravel') expect(code).not.toContain('@if')
  expect(code).toContain('%22')
})

test.each([
  ['harbour-at-dusk.jpg', 'harbour at dusk'],
  ['IMG_2210.JPEG', 'IMG 2210'],
  ['v1.2 notes', 'v1.2 notes'],
  ['__a--b__.webp', 'a b'],
  ['a\nb.png', 'a b'],
  ['.png', ''],
])('the alt text of %j starts as %j', (name, alt) => {
  expect(initialAlt({ name })).toBe(alt)
})

test.each([
  [2400, [400, 800, 1200, 1600, 'original']],
  [800, [400, 'original']],
  [300, ['original']],
  [0, [400, 800, 1200, 1600, 'original']],
])('an image %i wide is offered at %j', (width, widths) => {
  expect(widthsOf({ ...image, width })).toEqual(widths)
})

const choice = { width: 800, isResponsive: true, linkTarget: 'none' } as const

test.each([
  [4000, 400, [320, 400, 512, 640, 800, 1000, 1200]],
  [900, 800, [320, 400, 512, 640, 800, 900]],
  [300, 'original', [300]],
  [700, 'original', [320, 400, 512, 640, 700]],
  [0, 800, []],
] as const)('an image %i wide, shown at %s, comes in %j', (width, chosen, expected) => {
  const { sources } = embedSourceOf({ ...image, width, height: width }, { ...choice, width: chosen }, origin)
  expect(sources.map((source) => source.width)).toEqual(expected)
})

test('an address without an origin gets that of the page; an invalid one leads to the page', () => {
  const urlOf = (url: string) => embedSourceOf({ ...image, url }, { ...choice, width: 'original' }, origin).url
  expect(urlOf('/uploads/a.jpg')).toBe(`${origin}/uploads/a.jpg`)
  expect(urlOf('https://[')).toBe(`${origin}/`)
})
