// The language of a page that the server writes, by what the browser of its reader prefers.
import { type Language, languages } from './share-texts.ts'

/** The preferred known language of Accept-Language (RFC 9110, section 12.5.4); English by default. */
export function languageOf(header = ''): Language {
  const ranges = header
    .slice(0, 1000)
    .split(',')
    .map((range) => {
      const [tag = '', quality = ''] = range.split(';')
      const q = /^\s*q=([\d.]+)\s*$/.exec(quality)?.[1]
      return { language: tag.trim().toLowerCase().split('-', 1)[0], q: q === undefined ? 1 : Number(q) }
    })
    .filter(({ q }) => q > 0)
    .toSorted((a, b) => b.q - a.q)
  for (const { language } of ranges) {
    const known = languages.find((name) => name === language)
    if (known) return known
  }
  return 'en'
}
