import { expect, test } from 'vitest'
import { copyFormats } from './copy-formats.ts'

const codeOf = (id: (typeof copyFormats)[number]['id'], name: string, url = 'https://i.example/uploads/a-1.png') =>
  copyFormats.find((format) => format.id === id)?.code({ url, name, width: 800, height: 600 })

test.each([
  ['html', 'a.png', 'alt="a"'],
  ['html', '"><script>alert(1)</script>', 'alt="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"'],
  ['html', `' onerror='x`, 'alt="&#39; onerror=&#39;x"'],
  ['html', 'a & b\nc\u2028d', 'alt="a &amp; b c d"'],
  ['markdown', 'a.png', '![a](https://i.example/uploads/a-1.png)'],
  ['markdown', '](javascript:x) [', '![\\](javascript:x) \\[](https://i.example/uploads/a-1.png)'],
  ['markdown', '<b>`*_', '![\\<b\\>\\`\\*\\_](https://i.example/uploads/a-1.png)'],
  ['markdown', 'a\n\n# b', '![a # b](https://i.example/uploads/a-1.png)'],
  ['bbcode', '[/img][url=x]', '[img]https://i.example/uploads/a-1.png[/img]'],
  ['url', 'a.png', 'https://i.example/uploads/a-1.png'],
] as const)('%s of a file named %j', (id, name, expected) => {
  expect(codeOf(id, name)).toContain(expected)
})

test.each([
  ['html', 'https://i.example/"x', 'src="https://i.example/&quot;x"'],
  ['markdown', 'https://i.example/a) b(', '(https://i.example/a%29%20b%28)'],
  ['bbcode', 'https://i.example/[/img]', '[img]https://i.example/%5B/img%5D[/img]'],
] as const)('%s of the address %s', (id, url, expected) => {
  expect(codeOf(id, 'a', url)).toContain(expected)
})

test('an image of unknown size has none in its HTML', () => {
  expect(copyFormats[0].code({ url: '/a.png', name: 'a', width: 0, height: 0 })).not.toContain('width=')
})

test('a file name without extension stays whole', () => {
  expect(codeOf('markdown', '.png')).toContain('![.png]')
  expect(codeOf('markdown', 'v1.2 notes')).toContain('![v1.2 notes]')
})

test('what the owner says about an image replaces its name', () => {
  const image = { url: '/a.png', name: 'a.png', alt: 'Boats & "sea"', width: 1, height: 1 }
  expect(copyFormats[0].code(image)).toContain('alt="Boats &amp; &quot;sea&quot;"')
  expect(copyFormats[1].code(image)).toBe(String.raw`![Boats \& \"sea\"](/a.png)`)
})
