// Every way to embed an image, one entry each. Names come from visitors: each language escapes them in its own way.

export interface EmbeddedImage {
  url: string
  name: string
  /** Pixels; 0 where not known. */
  width: number
  height: number
}

interface Format {
  id: string
  label: string
  code: (image: EmbeddedImage) => string
}

export const formats = [
  {
    id: 'html',
    label: 'HTML',
    code: ({ url, name, width, height }) => {
      const size = width > 0 && height > 0 ? ` width="${width}" height="${height}"` : ''
      return `<img src="${html(url)}" alt="${html(name)}"${size} loading="lazy" decoding="async" style="max-width: 100%; height: auto">`
    },
  },
  {
    id: 'markdown',
    label: 'Markdown',
    code: ({ url, name }) => `![${markdown(name)}](${markdownAddress(url)})`,
  },
  {
    id: 'bbcode',
    label: 'BBCode',
    code: ({ url }) => `[img]${url.replace(/[[\]]/g, percent)}[/img]`,
  },
  { id: 'url', label: 'URL', code: ({ url }) => url },
] as const satisfies readonly Format[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text and attribute values between double quotes. A line break would end a line comment or a block around it. */
const html = (text: string) => oneLine(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

/** What would end the description or format it, in Markdown, in HTML inside it, or in a table around it. */
const markdown = (text: string) => oneLine(text).replace(/[\\[\]<>&*_`~|]/g, (sign) => `\\${sign}`)

const markdownAddress = (url: string) => url.replace(/[()<>\s\\]/g, percent)

const percent = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
