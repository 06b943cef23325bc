// Loads the next page of images into the grid: while the reader scrolls, and for the viewer.

import { hasImages } from './still-open.ts'

/** @returns whether images were added */
export type LoadMore = () => Promise<boolean>

const nearby = '1600px'

export function moreImages(images: HTMLElement): LoadMore {
  let running: Promise<boolean> | undefined
  const link = () => document.querySelector<HTMLAnchorElement>('#more')
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void load()
    },
    { rootMargin: nearby },
  )

  function load(): Promise<boolean> {
    running ??= addNextPage().finally(() => (running = undefined))
    return running
  }

  async function addNextPage(): Promise<boolean> {
    const more = link()
    if (more === null) return false
    observer.disconnect()
    more.setAttribute('aria-busy', 'true')
    try {
      const response = await fetch(more.href, { headers: { accept: 'text/html' } })
      if (response.status === 404) location.reload()
      if (!response.ok) throw new Error(`The status of the next images is ${response.status}`)
      const html = await response.text()
      if (hasImages(html)) add(html, more)
      else location.reload()
      return hasImages(html)
    } catch (error) {
      // The link is still there: a click on it opens the next page, or shows why there is none.
      console.info('The next images could not be loaded', error)
      more.removeAttribute('aria-busy')
      return false
    }
  }

  function add(html: string, more: HTMLAnchorElement): void {
    // The policy of this page has the hashes of its own styles only; a sheet of a script needs none.
    const places = new CSSStyleSheet()
    places.replaceSync(/<style id="places">([^<]*)/.exec(html)?.[1] ?? '')
    document.adoptedStyleSheets.push(places)
    const page = new DOMParser().parseFromString(html.replace(/<style[^]*?<\/style>/g, ''), 'text/html')
    // An image that was moved meanwhile may come twice.
    const added = [...page.querySelectorAll('#images > a')].filter(({ id }) => document.getElementById(id) === null)
    images.append(...added)
    const next = page.querySelector<HTMLAnchorElement>('#more')
    if (next === null) return more.remove()
    more.replaceWith(next)
    observer.observe(next)
  }

  const first = link()
  if (first !== null) observer.observe(first)
  return load
}
