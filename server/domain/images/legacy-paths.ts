// Finds the image that had an address at another host before it was imported.
import { imageUrls } from '../../../contract/client.ts'
import { limits } from '../../../contract/limits.ts'
import type { LegacyPathsTable } from '../../db/schema.ts'
import type { Deps } from '../deps.ts'

/** Indexes of PostgreSQL hold at most 2,700 bytes. */
const maxPathLength = 600

/** PostgreSQL stores no NUL. */
export const isStorablePath = (path: string): boolean => path.length <= maxPathLength && !path.includes('\0')

/**
 * Returns the URL of the imported image that had this path, also of one that was deleted since, but
 * not for the path of an original here.
 * @param path as in the request, without the query
 * @param baseUrl of the result; empty: it is relative
 */
export async function findLegacyUrl(
  { db }: Pick<Deps, 'db'>,
  path: string,
  baseUrl: string,
): Promise<string | undefined> {
  const decoded = decodePath(path)
  if (decoded === undefined || !isStorablePath(decoded)) return undefined
  const originals = db.selectFrom('images as original').where('original.file_name', '=', fileNameIn(decoded))
  const found = await db
    .selectFrom('legacy_paths')
    .leftJoin('images', 'images.id', 'legacy_paths.image_id')
    .leftJoin('tombstones', 'tombstones.id', 'legacy_paths.image_id')
    .select(['image_id', 'size', 'images.file_name', 'tombstones.file_name as deleted_file_name'])
    .where('path', '=', decoded)
    .where(({ exists, not }) => not(exists(originals.select('original.id'))))
    .executeTakeFirst()
  const fileName = found?.file_name ?? found?.deleted_file_name
  return found && typeof fileName === 'string' ? urlOf(baseUrl, found.size, found.image_id, fileName) : undefined
}

function urlOf(baseUrl: string, size: LegacyPathsTable['size'], id: string, fileName: string): string {
  if (size === 'thumbnail') return imageUrls.thumbnail(baseUrl, id)
  if (size === 'medium') return imageUrls.resize(baseUrl, id, limits.variant.defaultWidthPx)
  return imageUrls.original(baseUrl, fileName)
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
