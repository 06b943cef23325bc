import type { LinkPreview } from './link-preview.ts'

interface Linked {
  link: string
  title: string
  /** As chats show it; without it, the link has its title only. */
  image: LinkPreview['image']
}

/** The link as HTML for editors and mail: the image and its title, both linked. Chats and forums take the plain text or the last link. */
export function linkHtml({ link, title, image }: Linked): string {
  const parts: HTMLElement[] = []
  if (image !== undefined) {
    const { url, alt, width, height } = image
    const picture = linkTo(link)
    picture.append(Object.assign(document.createElement('img'), { src: url, alt, width, height }))
    parts.push(picture, document.createElement('br'))
  }
  const text = linkTo(link)
  text.textContent = title
  return [...parts, text].map(({ outerHTML }) => outerHTML).join('')
}

const linkTo = (href: string) => Object.assign(document.createElement('a'), { href })
