// The formats of the embed dialog and how each fills its template. templates/ is highlighted at build time.
import { templates } from 'virtual:embed-templates'
import { type EmbeddedImage, type EmbedSource, extensionOf } from './embedded-image.ts'
import * as escape from './code-escaping.ts'

export interface CodeFormat {
  id: string
  label: string
  /** The file or place the code is for. */
  place: string
  text: (text: string) => string
  /** How an address is escaped, when that differs from text. */
  address?: (url: string) => string
  /** How the language marks a decorative image. */
  decorative?: string
  /** The format of the image where that is no browser, which would name what it shows. */
  fmt?: 'webp'
  /** Selects one of several templates. */
  variant?: (source: EmbedSource, alt: string) => string
}

const sizeless = ({ width, height }: EmbedSource) => (width === undefined || height === undefined ? '-sizeless' : '')

export const codeFormats: readonly [CodeFormat, ...CodeFormat[]] = [
  { id: 'html', label: 'HTML', place: 'index.html', text: escape.html },
  { id: 'react', label: 'React', place: 'hosted-image.tsx', text: escape.html },
  { id: 'vue', label: 'Vue', place: 'HostedImage.vue', text: escape.javascript, address: escape.html },
  {
    id: 'angular',
    label: 'Angular',
    place: 'hosted-image.component.ts',
    text: escape.angular,
    // NgOptimizedImage requires a size and requests every width from one address.
    variant: ({ url, full, sources, height }) =>
      url === full || sources.length === 0 || height === undefined ? '-single' : '',
  },
  {
    id: 'flutter',
    label: 'Flutter',
    place: 'hosted_image.dart',
    text: escape.dart,
    decorative: 'true',
    fmt: 'webp',
    variant: sizeless,
  },
  { id: 'laravel', label: 'Laravel', place: 'hosted-image.blade.php', text: escape.blade },
  {
    id: 'markdown',
    label: 'Markdown',
    place: 'README.md',
    text: escape.markdown,
    address: escape.markdownAddress,
    variant: ({ link }, alt) => (link === undefined ? '-unlinked' : '') + (alt === '' ? '-decorative' : ''),
  },
  {
    id: 'wordpress',
    label: 'WordPress',
    place: 'Code editor',
    text: escape.wordpress,
    variant: ({ width, link }) => (link === undefined ? '-unlinked' : '') + (width === undefined ? '-sizeless' : ''),
  },
  { id: 'ios', label: 'iOS', place: 'HostedImage.swift', text: escape.swift, decorative: 'true', fmt: 'webp' },
  {
    id: 'android',
    label: 'Android',
    place: 'HostedImage.kt',
    text: escape.kotlin,
    decorative: 'null',
    fmt: 'webp',
    variant: sizeless,
  },
  { id: 'jquery', label: 'jQuery', place: 'script.js', text: escape.javascript },
  { id: 'python', label: 'Python', place: 'hosted_image.py', text: escape.python, fmt: 'webp' },
]

export type CodeLine = readonly (readonly [text: string, kind: number])[]

/** The lines to show. @param alt untrusted text, like the image's id */
export function codeLines(format: CodeFormat, image: EmbeddedImage, source: EmbedSource, alt: string): CodeLine[] {
  const { text, address = text, decorative } = format
  const { width, height, sources } = source
  const altText = escape.oneLine(alt).trim()
  const ifSeveral = (value: string) => (sources.length === 0 ? undefined : value)
  const values: Record<string, string | undefined> = {
    URL: address(source.url),
    BASE: source.base,
    FILE: address(`${encodeURIComponent(escape.oneLine(image.id))}.${extensionOf(source.full)}`),
    LINK: source.link === undefined ? undefined : address(source.link),
    // After the end of a link, whose line is removed with it.
    LINKED: source.link === undefined ? undefined : '',
    ALT: text(altText),
    LABEL: altText === '' ? undefined : text(altText),
    DECORATIVE: altText === '' ? decorative : undefined,
    W: width?.toString(),
    H: height?.toString(),
    SRCSET: ifSeveral(address(sources.map((source) => `${source.url} ${source.width}w`).join(', '))),
    WIDTHS: ifSeveral(sources.map((source) => `${source.width}w`).join(', ')),
    SIZES: ifSeveral(`(max-width: ${width}px) 100vw, ${width}px`),
  }
  return fill(templates[format.id + (format.variant?.(source, altText) ?? '')] ?? [], values)
}

export const codeText = (lines: readonly CodeLine[]) =>
  lines.map((line) => line.map(([text]) => text).join('')).join('\n')

const placeholder = /__([A-Z]+)__/g

/** Removes a line whose value is missing, and indents what is inside of a link. */
function fill(lines: readonly CodeLine[], values: Record<string, string | undefined>): CodeLine[] {
  const namesIn = (line: CodeLine) =>
    line.flatMap(([text]) => [...text.matchAll(placeholder)].map(([, name]) => name ?? ''))
  const filled = lines.filter((line) => namesIn(line).every((name) => values[name] !== undefined))
  const end = filled.findIndex((line) => namesIn(line).includes('LINKED'))
  const start = filled.findIndex((line) => namesIn(line).includes('LINK'))
  return filled.map((line, at) => [
    ...(at > start && at < end ? [['  ', 0] as const] : []),
    ...line.map(([text, kind]) => [text.replace(placeholder, (_, name: string) => values[name] ?? ''), kind] as const),
  ])
}
