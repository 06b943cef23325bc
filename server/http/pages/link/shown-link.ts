// What the page of a link shows, of what the link opens.
import { linkArchivePath, linkCollagePath, linkPathOf } from '../../../../contract/plain/page-paths.ts'
import { maxSizeOf, givesOriginals } from '../../../domain/images/sharing/link-state.ts'
import { collageOf } from '../../../domain/links/link-collage.ts'
import type { OpenLink } from '../../../domain/links/open-link.ts'
import type { ImageRow } from '../../../domain/images/image-row.ts'
import type { Language } from '../share/share-texts.ts'
import type { LinkedImage } from './link-files.ts'
import type { ShownLink } from './link-page.ts'
import { linkTextsIn } from './link-texts.ts'

/** @param page.isFirst whether it is the first page of images, which alone shows the albums */
export function shownLink(
  opened: OpenLink,
  { language, isFirst }: { language: Language; isFirst: boolean },
): ShownLink {
  const { link, album, around, total, images, nextCursor } = opened
  const maxPx = givesOriginals(link) ? null : (maxSizeOf(link) ?? 4096)
  const shown = (row: ImageRow): LinkedImage => ({ row: { ...row, key: opened.keyOf(row) }, maxPx })
  const albums = isFirst
    ? opened.albums.map((inside) => ({
        ...inside,
        path: linkPathOf(link.slug, inside.id),
        cover: shown(inside.cover),
      }))
    : []
  // The album that the link shares has no path but the link's own.
  const pathOf = (albumId: string | undefined) => linkPathOf(link.slug, albumId === link.album_id ? undefined : albumId)
  const path = pathOf(album?.id)
  const parent = around.at(-1)
  return {
    title: opened.title || linkTextsIn(language).images(total),
    description: opened.description,
    ownerName: opened.ownerName,
    count: total,
    albums,
    images: images.map(shown),
    isSingle: total === 1 && albums.length === 0 && images.length === 1 && images[0]?.views_left === null,
    parent: parent ? { title: parent.title, path: pathOf(parent.id) } : null,
    path,
    nextPath: nextCursor === null ? null : `${path}?cursor=${encodeURIComponent(nextCursor)}`,
    download: downloadOf(opened),
    mayDownload: link.can_download === 1,
    collagePath: isFirst ? collagePathOf(opened) : null,
  }
}

function collagePathOf(opened: OpenLink): string | null {
  const collage = collageOf(opened)
  if (collage === null) return null
  const { link, album } = opened
  const inside = album === null || album.id === link.album_id ? '' : `&album=${album.id}`
  return `${linkCollagePath.replace('{slug}', encodeURIComponent(link.slug))}?v=${collage.version}${inside}`
}

function downloadOf({ link, album, albums, total, downloadBytes }: OpenLink): ShownLink['download'] {
  if (downloadBytes === null || downloadBytes === 0) return null
  const path = linkArchivePath.replace('{slug}', encodeURIComponent(link.slug))
  return {
    path: album === null || album.id === link.album_id ? path : `${path}?album=${album.id}`,
    // How many there are in albums inside albums is not known.
    images: albums.length === 0 ? total : null,
    bytes: downloadBytes,
  }
}
