// Finds the image that had an address at another host before it was imported.
import { imageUrls } from '../../../contract/derive/client.ts'
import { formats } from '../../../contract/plain/formats.ts'
import type { EngineQuery } from '../../../contract/endpoints/image-engine.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { LegacyPathsTable } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'

/** Indexes of PostgreSQL hold at most 2,700 bytes. */
const maxPathLength = 600

/** PostgreSQL stores no NUL. */
export const isStorablePath = (path: string): boolean => path.length <= maxPathLength && !path.includes('\0')

interface LegacyAddress {
  /** As in the request, without the query. */
  path: string
  query: Record<string, unknown>
}

/** Where the image is now. */
export interface LegacyTarget {
  url: string
  imageId: string
  /** UTC milliseconds: until when caches may take the image to be there; null: no longer. */
  isThereUntil: number | null
}

/**
 * Finds the imported image that had this address, also one that was deleted since, but not for the path
 * of an original here. The URL is of the size and format that the address asked for.
 * @param baseUrl of the URL; empty: it is relative
 */
export async function findLegacyTarget(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { path, query }: LegacyAddress,
  baseUrl: string,
): Promise<LegacyTarget | undefined> {
  const decoded = decodePath(path)
  if (decoded === undefined || !isStorablePath(decoded)) return undefined
  const originals = db.selectFrom('images as original').where('original.file_name', '=', fileNameIn(decoded))
  const found = await db
    .selectFrom('legacy_paths')
    .leftJoin('images', 'images.id', 'legacy_paths.image_id')
    .leftJoin('tombstones', 'tombstones.id', 'legacy_paths.image_id')
    .select(['image_id', 'size', 'images.file_name', 'images.expires_at', 'images.views_left'])
    .select('tombstones.file_name as deleted_file_name')
    .where('path', '=', decoded)
    .where(({ exists, not }) => not(exists(originals.select('original.id'))))
    // A private image has none that strangers could try.
    .where((where) => where(where.fn.coalesce('images.visibility', 'tombstones.visibility'), '=', 'public'))
    .executeTakeFirst()
  const fileName = found?.file_name ?? found?.deleted_file_name
  if (!found || typeof fileName !== 'string') return undefined
  const { size, image_id: id } = found
  const url = urlOf({ id, size, fileName, asked: decoded, box: boxOf(query, config) }, baseUrl)
  return { url, imageId: id, isThereUntil: found.views_left === null ? found.expires_at : null }
}

interface Asked {
  id: string
  size: LegacyPathsTable['size']
  fileName: string
  /** The decoded path. */
  asked: string
  box: Partial<EngineQuery> | undefined
}

function urlOf({ id, size, fileName, asked, box }: Asked, baseUrl: string): string {
  if (size === 'thumbnail') return imageUrls.thumbnail(baseUrl, id)
  if (size === 'medium') return imageUrls.resize(baseUrl, id, limits.variant.defaultWidthPx)
  const own = extensionOf(fileName)
  const wanted = extensionOf(asked)
  const extension = size === 'converted' && convertible.has(wanted) && !isSameFormat(wanted, own) ? wanted : own
  return extension === own && box === undefined
    ? imageUrls.original(baseUrl, fileName)
    : imageUrls.file(baseUrl, id, extension, box)
}

const extensionOf = (path: string) => path.slice(path.lastIndexOf('.') + 1).toLowerCase()

/** Extensions of the formats that are made of other images. */
const convertible = new Set([
  'avif',
  ...[formats.webp, formats.jpeg, formats.png].flatMap(({ extensions }) => extensions),
])

const isSameFormat = (a: string, b: string) =>
  Object.values(formats).some(({ extensions }: { extensions: readonly string[] }) =>
    [a, b].every((one) => extensions.includes(one)),
  )

/**
 * Slink and Picsur call the size `width` and `height`, Slink a cut one `crop`.
 * @returns undefined: the whole image
 */
function boxOf(query: LegacyAddress['query'], { SIGN_VARIANTS }: Deps['config']): Partial<EngineQuery> | undefined {
  const [w, h] = [pixelsOf(query['width']), pixelsOf(query['height'])]
  if (w === undefined || h === undefined) return w === undefined && h === undefined ? undefined : { w, h }
  // The redirect signs no box, which everyone could choose.
  return SIGN_VARIANTS ? { w } : { w, h, fit: ['1', 'true'].includes(String(query['crop'])) ? 'cover' : 'inside' }
}

function pixelsOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^[1-9]\d{0,4}$/.test(value)) return undefined
  return Math.min(Number(value), limits.variant.maxSidePx)
}

/** The inverse of imageUrls.original; empty for other paths. */
const fileNameIn = (path: string) => /^\/uploads\/([^/]+)$/.exec(path)?.[1] ?? ''

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
