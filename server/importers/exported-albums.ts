// Albums and links that image-host export lists beside its pictures.
import { dirname } from 'node:path/posix'
import { z } from 'zod'
import { slug } from '../../contract/endpoints/image-input-fields.ts'
import { limits } from '../../contract/plain/limits.ts'
import { parseImageQuery } from '../../contract/plain/image-query.ts'
import { visibilities } from '../../contract/plain/visibility.ts'
import type { FileEntry } from './folder-and-zip-entries.ts'
import type { SourceAlbum, SourceLink } from './source-types.ts'

export const albumsFile = 'albums.json'

const id = z.string().min(1).max(100)
const files = z.array(z.string())
const time = z.iso.datetime()

const exportedAlbum = z.object({
  id,
  title: z.string(),
  description: z.string().default(''),
  parent_id: id.nullable().default(null),
  cover: z.string().nullable().default(null),
  query: z
    .string()
    .max(limits.list.maxQueryLength)
    .nullable()
    .default(null)
    .refine((query) => query === null || isQuery(query)),
  upload_visibility: z.enum(visibilities).nullable().default(null),
  created_at: time,
  images: files,
})

function isQuery(query: string): boolean {
  const { terms, problem } = parseImageQuery(query)
  return problem === undefined && terms.length > 0
}

const exportedLink = z.object({
  id,
  album_id: id.nullable(),
  slug: slug.optional().catch(undefined),
  name: z.string().default(''),
  note: z.string().default(''),
  shows_private: z.boolean().default(false),
  has_password: z.boolean(),
  starts_at: time.nullable().default(null),
  ends_at: time.nullable().default(null),
  views_left: z.int().min(0).max(limits.maxViews).nullable().default(null),
  can_download: z.boolean().default(true),
  max_size: z.int().min(limits.links.minSizePx).max(limits.image.maxSidePx).nullable().default(null),
  watermark: z.string().default(''),
  created_at: time,
  revoked_at: time.nullable().default(null),
  images: files,
})

interface Listed {
  albums: SourceAlbum[]
  links: SourceLink[]
}

/**
 * Leaves out what does not look as the export writes it.
 * @param idOf the id of the image in a file, by its path
 */
export async function readExported(entries: FileEntry[], idOf: (path: string) => string | undefined): Promise<Listed> {
  const listed: Listed = { albums: [], links: [] }
  for (const entry of entries.filter(({ path }) => path === albumsFile || path.endsWith(`/${albumsFile}`))) {
    const parsed = z
      .object({ albums: z.array(z.unknown()), links: z.array(z.unknown()) })
      .safeParse(await entry.readJson())
    if (!parsed.success) continue
    const folder = dirname(entry.path)
    const imageOf = (file: string) => idOf(folder === '.' ? file : `${folder}/${file}`)
    for (const one of parsed.data.albums) {
      const album = exportedAlbum.safeParse(one)
      if (album.success) listed.albums.push(toAlbum(album.data, imageOf))
    }
    for (const one of parsed.data.links) {
      const link = exportedLink.safeParse(one)
      if (link.success) listed.links.push(toLink(link.data, imageOf))
    }
  }
  return listed
}

type ImageOf = (file: string) => string | undefined

const toAlbum = (album: z.infer<typeof exportedAlbum>, imageOf: ImageOf): SourceAlbum => ({
  id: album.id,
  ownerId: null,
  title: album.title,
  description: album.description,
  parentId: album.parent_id,
  coverId: album.cover === null ? null : (imageOf(album.cover) ?? null),
  query: album.query,
  uploadVisibility: album.upload_visibility,
  createdAt: Date.parse(album.created_at),
  imageIds: async () => (album.query === null ? imagesIn(album.images, imageOf) : []),
})

const toLink = (link: z.infer<typeof exportedLink>, imageOf: ImageOf): SourceLink => ({
  id: link.id,
  ...(link.album_id === null ? { imageIds: imagesIn(link.images, imageOf) } : { albumId: link.album_id }),
  isGuarded: link.has_password,
  startsAt: msOf(link.starts_at),
  endsAt: msOf(link.ends_at),
  revokedAt: msOf(link.revoked_at),
  canDownload: link.can_download,
  createdAt: Date.parse(link.created_at),
  slug: link.slug,
  settings: {
    name: link.name,
    note: link.note,
    shows_private: link.shows_private ? 1 : 0,
    views_left: link.views_left,
    max_size: link.max_size,
    watermark: link.watermark,
  },
})

/** Files that were not imported are left out. */
const imagesIn = (files: string[], imageOf: ImageOf) => files.flatMap((file) => imageOf(file) ?? [])
const msOf = (time: string | null) => (time === null ? null : Date.parse(time))
