// Which link of an image is copied and shared: that of the file, or that of its page.
import { imageUrls } from '../../contract/derive/client.ts'
import type { ShownImage } from './images/stored-image.ts'
import { followStored, writeStored } from './storage.ts'
import { createStore, useStore } from './store.ts'

type LinkKind = 'direct' | 'share'

const key = 'link_kind'
const kind = createStore<LinkKind>('direct')
export const useLinkKind = () => useStore(kind)

followStored(key, (text) => kind.set(text === 'share' ? 'share' : 'direct'))

export function setLinkKind(next: LinkKind): void {
  writeStored(key, next === 'direct' ? null : next)
  kind.set(next)
}

/** The chosen link of an image, absolute. */
export function chosenLink(image: ShownImage): string {
  return kind.get() === 'share' ? shareLink(image) : new URL(image.url, location.href).href
}

/** The custom link where there is one, which is short; else the share page. */
export function shareLink({ page_url: page, slug }: ShownImage): string {
  const { origin, href } = new URL(page, location.href)
  return slug ? imageUrls.slug(origin, slug) : href
}
