// The copy formats below a new upload. The embed dialog uses code-formats.ts.
import { nameWithoutExtension } from '../../../contract/plain/alt-text.ts'
import type { EmbeddedImage } from './embedded-image.ts'
import { html, markdown, markdownAddress, percent } from './code-escaping.ts'

interface Format {
  id: string
  label: string
  code: (image: Pick<EmbeddedImage, 'url' | 'name' | 'alt' | 'width' | 'height'>) => string
}

const altOf = ({ alt, name }: Pick<EmbeddedImage, 'alt' | 'name'>) => alt || nameWithoutExtension(name)

export const copyFormats = [
  {
    id: 'html',
    label: 'HTML',
    code: ({ url, width, height, ...words }) => {
      const size = width > 0 && height > 0 ? ` width="${width}" height="${height}"` : ''
      return `<img src="${html(url)}" alt="${html(altOf(words))}"${size} loading="lazy" decoding="async" style="max-width: 100%; height: auto">`
    },
  },
  {
    id: 'markdown',
    label: 'Markdown',
    code: ({ url, ...words }) => `![${markdown(altOf(words))}](${markdownAddress(url)})`,
  },
  {
    id: 'bbcode',
    label: 'BBCode',
    code: ({ url }) => `[img]${url.replace(/[[\]]/g, percent)}[/img]`,
  },
  { id: 'url', label: 'URL', code: ({ url }) => url },
] as const satisfies readonly Format[]
