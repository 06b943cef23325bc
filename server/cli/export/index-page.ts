// The page of an exported folder: works from the disk, without script and without a server.
import type { ImageRecord } from './image-record.ts'

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
const link = (...parts: string[]) => escapeHtml(parts.map(encodeURIComponent).join('/'))

export const pageStart = (title: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 ui-sans-serif, system-ui, sans-serif; }
body { max-width: 80rem; margin: 0 auto; padding: 1rem; }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: 1rem; padding: 0; list-style: none; }
img { width: 100%; height: 9rem; object-fit: cover; border-radius: 8px; background: light-dark(#e4e6ea, #24272c); }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
a { color: inherit; overflow-wrap: anywhere; }
small { display: block; opacity: .7; }
</style>
<h1>${escapeHtml(title)}</h1>
<ul>
`

export const pageEnd = '</ul>\n'

export const folderItem = (folder: string, title: string, images: number) =>
  `<li><a href="${link(folder, 'index.html')}">${escapeHtml(title)}</a> <small>${images} ${images === 1 ? 'picture' : 'pictures'}</small></li>\n`

export const imageItem = ({ file, name, alt, created_at, tags }: ImageRecord) =>
  `<li><a href="${link(file)}"><img src="${link(file)}" alt="${escapeHtml(alt)}" loading="lazy" decoding="async">${escapeHtml(name)}</a>
<small>${[created_at.slice(0, 10), ...tags].map(escapeHtml).join(' · ')}</small></li>
`
