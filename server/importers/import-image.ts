// Stores images that were uploaded to another host: with their dates, albums and old addresses.
import type { Kysely } from 'kysely'
import type { UploadedImage } from '../../contract/endpoints/images.ts'
import { limits } from '../../contract/plain/limits.ts'
import type { Visibility } from '../../contract/plain/visibility.ts'
import { normalizeTag } from '../../contract/plain/tag-names.ts'
import { insertTagRows, splitTags, writeTagsOfImages } from '../db/image-tags.ts'
import type { ImportedRowsTable, LegacyPathsTable, Schema } from '../db/schema.ts'
import type { Config } from '../config.ts'
import type { Account, Caller, UserCaller } from '../domain/shared/caller.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { Failure } from '../domain/shared/failure.ts'
import { latestExpiryOfUpload, mayKeep, type UploaderRole } from '../domain/images/expiry/expiry-by-role.ts'
import type { ImageRow } from '../domain/images/image-row.ts'
import { isStorablePath } from '../domain/delivery/legacy-paths.ts'
import { uploadImage } from '../domain/uploads/upload-one.ts'
import { shorten, withoutMarkup } from './strip-markup.ts'
import { assertBytesNotBlocked, assertFileNotBlocked } from '../domain/moderation/blocked-images.ts'
import { decodeUpload } from '../domain/uploads/decode-upload.ts'
import type { ReceivedFile } from '../domain/uploads/upload-request.ts'

export type LegacyPath = Pick<LegacyPathsTable, 'path' | 'size'>

export interface ImportedImage {
  source: string
  sourceId: string
  /** null: the image becomes one of a guest, and its token is discarded. */
  owner: Account | null
  file: ReceivedFile
  title?: string | undefined
  alt?: string | undefined
  /** UTC milliseconds; null: now. */
  createdAt: number | null
  /** UTC milliseconds; null: never, where the owner may keep images, or else as an upload of now. */
  expiresAt: number | null
  /** At least 1; undefined: no limit. */
  viewsLeft?: number | undefined
  /** undefined: unknown. */
  views?: number | undefined
  /** Whatever the account has for uploads; guests' images are public. */
  visibility: Visibility
  tags: string[]
  paths: LegacyPath[]
}

/**
 * Stores the image and, in the same transaction, that it was imported.
 * @throws {Failure} like uploadImage
 */
export function importImage(
  deps: Deps,
  { owner, file, title, alt, createdAt, ...image }: ImportedImage,
): Promise<UploadedImage> {
  const now = deps.now()
  const expiresIn = lifetimeOfImported(deps.config, owner?.role ?? 'guest', image.expiresAt, now)
  if (typeof expiresIn === 'number' && expiresIn <= 0) throw new Failure('image_gone')
  return uploadImage(deps, {
    caller: uploaderOf(owner),
    address: 'import',
    baseUrl: '',
    siteUrl: '',
    body: {
      expires_in: expiresIn,
      max_views: image.viewsLeft && Math.min(image.viewsLeft, limits.maxViews),
      title: shorten(title, limits.share.maxTitleLength),
      alt: shorten(alt, limits.share.maxAltLength),
      visibility: owner === null ? undefined : image.visibility,
    },
    headers: {},
    file: { ...file, name: withoutMarkup(file.name) },
    imported: {
      createdAt: Math.round(Math.min(Math.max(createdAt ?? now, 0), now)),
      views: countOf(image.views),
      record: (db, row) => recordImport(db, image, row),
    },
  })
}

/** Without an expiry there, it is kept where its owner may do that; otherwise it is as an upload of today. */
function lifetimeOfImported(config: Config, role: UploaderRole, expiresAt: number | null, now: number) {
  if (expiresAt === null) return mayKeep(config, role) ? 'never' : undefined
  return Math.min(Math.round(expiresAt), latestExpiryOfUpload(config, role, now)) - now
}

/** Sums with more could be too large for a number. */
const maxViews = 1e12
/** Other hosts' figures may be anything. */
const countOf = (views = 0): number => (Number.isInteger(views) ? Math.min(Math.max(views, 0), maxViews) : 0)

/** Decodes the file as importing it does, and stores nothing. @throws {Failure} like uploadImage, of the file */
export async function checkImport(deps: Deps, { owner, file }: Pick<ImportedImage, 'owner' | 'file'>): Promise<void> {
  await assertFileNotBlocked(deps, file.path)
  const { image } = await decodeUpload(deps, { caller: uploaderOf(owner), address: 'import', file, uploader: 'user' })
  await assertBytesNotBlocked(deps, image.sha256)
}

const uploaderOf = (owner: Account | null): Caller => (owner === null ? { kind: 'guest' } : callerOf(owner))

export const callerOf = (owner: Account): UserCaller => ({
  kind: 'user',
  account: owner,
  by: { sessionId: 'none: imported by the command', confirmedAt: 0 },
})

type Origin = Pick<ImportedImage, 'source' | 'sourceId' | 'tags' | 'paths'>

async function recordImport(db: Kysely<Schema>, { source, sourceId, ...found }: Origin, row: ImageRow): Promise<void> {
  await db
    .insertInto('imported_rows')
    .values({ source, kind: 'image', source_id: sourceId, target_id: row.id })
    .execute()
  await addOrigins(db, row.id, found)
}

/**
 * Adds tags and old addresses to an imported image: another album of the source may contain it too.
 * An address belongs to the first image that is imported with it.
 */
export async function addOrigins(
  db: Kysely<Schema>,
  id: string,
  { tags, paths }: Pick<ImportedImage, 'tags' | 'paths'>,
): Promise<void> {
  const found = [...new Set(tags.flatMap((tag) => normalizeTag(shorten(tag, limits.tags.maxLength)) ?? []))]
  if (found.length > 0) {
    const { owner_id, tags: before } = await db
      .selectFrom('images')
      .select(['owner_id', 'tags'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const room = limits.tags.maxPerImage - splitTags(before).length
    const rows = found.slice(0, Math.max(0, room)).map((tag) => ({ image_id: id, owner_id, tag }))
    await insertTagRows(db, rows)
    await writeTagsOfImages(db, [id])
  }
  const pathRows = paths.filter(({ path }) => isStorablePath(path)).map((path) => ({ ...path, image_id: id }))
  if (pathRows.length > 0)
    await db
      .insertInto('legacy_paths')
      .values(pathRows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Returns the ids here by the ids at the source, for those that were imported. @param sourceIds at most some hundred */
export async function findImported(
  db: Kysely<Schema>,
  kind: ImportedRowsTable['kind'],
  source: string,
  sourceIds: string[],
): Promise<Map<string, string>> {
  if (sourceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('imported_rows')
    .select(['source_id', 'target_id'])
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('source_id', 'in', sourceIds)
    .execute()
  return new Map(rows.map((row) => [row.source_id, row.target_id]))
}
