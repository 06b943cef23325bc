import type { Image } from '../client/index.ts'

type LinkFormat = (image: Pick<Image, 'url' | 'width' | 'height' | 'original_name'>) => string

export const linkFormats = {
  url: ({ url }) => url,
  markdown: ({ url, original_name: name }) => `![${markdown(altOf(name))}](${url})`,
  html: ({ url, width, height, original_name: name }) =>
    `<img src="${html(url)}" alt="${html(altOf(name))}" width="${width}" height="${height}">`,
  bbcode: ({ url }) => `[img]${url}[/img]`,
} as const satisfies Record<string, LinkFormat>

export type LinkFormatName = keyof typeof linkFormats
export const linkFormatNames = Object.keys(linkFormats) as LinkFormatName[]

const altOf = (name: string) => name.replace(/\.\w{1,5}$/, '')
const markdown = (text: string) => text.replace(/[\\[\]`*_<>!&]/g, String.raw`\$&`)
const html = (text: string) =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '&quot;')
