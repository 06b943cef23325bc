// The blocklist of images: the same file is refused at upload, one that looks the same is quarantined
// (docs/decisions/0036).
import { type Kysely, sql } from 'kysely'
import type { BlockedImage } from '../../../contract/endpoints/blocklists.ts'
import { moderationLimits } from '../../../contract/plain/moderation-limits.ts'
import type { Schema } from '../../db/schema.ts'
import { containsText, escapeLike } from '../../db/contains-text.ts'
import { accountIdOf, audit, type AuditDeps, type AuditEvent, type AuditOrigin } from '../audit/audit.ts'
import { inBatches } from '../shared/batches.ts'
import type { RequestOrigin } from '../shared/caller.ts'
import { queuePurges } from '../images/cache-purges.ts'
import type { Deps, InTransaction } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { findIdIn } from '../images/find-image.ts'
import { everyone } from '../images/may-view.ts'
import { mayBeServed } from '../images/deletion/deletion-states.ts'
import { owned, ownerOf } from '../images/deletion/remove-images.ts'
import { hashFile } from '../shared/hash-file.ts'
import { type Page, readPage } from '../shared/keyset-page.ts'
import { lockInTransaction } from '../shared/transaction-locks.ts'
import { assertBlocklistSpace } from './blocklist-size.ts'

/**
 * Refuses a received file before it is decoded. It is hashed only when there is a blocklist.
 * @param knownHash its SHA-256, hex, when it was computed before
 * @throws {Failure} image_blocked
 */
export async function assertFileNotBlocked(deps: Pick<Deps, 'db'>, path: string, knownHash?: string): Promise<void> {
  const first = await deps.db.selectFrom('blocked_images').select('sha256').limit(1).executeTakeFirst()
  if (first) await assertBytesNotBlocked(deps, knownHash ?? (await hashFile(path)))
}

/** @throws {Failure} image_blocked */
export async function assertBytesNotBlocked({ db }: Pick<Deps, 'db'>, sha256: string): Promise<void> {
  const blocked = await db.selectFrom('blocked_images').select('sha256').where('sha256', '=', sha256).executeTakeFirst()
  if (blocked) throw new Failure('image_blocked')
}

const auditedAtOnce = 500

interface ListQuery {
  limit?: number | undefined
  cursor?: string | undefined
  q?: string | undefined
}

/** @throws {Failure} invalid_input: an invalid cursor */
export function listBlockedImages(
  { db }: Pick<Deps, 'db'>,
  { query: { limit, cursor, q = '' } }: { query: ListQuery },
): Promise<Page<BlockedImage>> {
  const text = q.trim().toLowerCase()
  let found = db.selectFrom('blocked_images')
  if (isDigest(text)) found = found.where('sha256', '=', text)
  else if (text !== '') {
    const digests = sql<boolean>`sha256 like ${`${escapeLike(text)}%`} escape '\\'`
    found = found.where((where) => where.or([digests, containsText(['reason'], text)]))
  }
  const rows = found
    .leftJoin('users', 'users.id', 'blocked_images.created_by')
    .select(['sha256', 'phash', 'quality', 'reason', 'blocked_images.created_at', 'users.email'])
  return readPage(rows, found, {
    limit,
    cursor,
    by: ['blocked_images.created_at', 'sha256'],
    keyOf: (row) => ({ value: row.created_at, id: row.sha256 }),
    show: ({ sha256, phash, quality, reason, created_at, email }) => ({
      sha256,
      phash: isCompared(quality) ? phash : null,
      reason,
      created_at: new Date(created_at).toISOString(),
      created_by: email,
    }),
  })
}

/**
 * Blocks images, or files that are not stored, and quarantines the stored images with these bytes.
 * @throws {Failure} block_list_full
 */
export async function blockImages(
  deps: Deps,
  { caller, address, body }: RequestOrigin & { body: { images: string[]; reason?: string | undefined } },
) {
  const { images, reason = '' } = body
  const digests: string[] = []
  const notFound: string[] = []
  for (const text of images) {
    const digest = await findDigest(deps, text)
    if (digest === undefined) notFound.push(text)
    else digests.push(digest)
  }
  const origin = { actor: caller, address }
  const counts = await deps.db.transaction().execute(async (db) => {
    const version = await lockBlockedImages({ ...deps, db })
    return blockDigests({ ...deps, db }, { version, digests, reason, origin })
  })
  deps.log.info({ by: caller.account.id, digests, ...counts }, 'images blocked')
  return { success: true as const, ...counts, notFound }
}

/** Whether uploads are compared with the perceptual hash of a blocked image. */
const isCompared = (quality: number | null) => quality !== null && quality >= moderationLimits.nearQuality

const isDigest = (text: string) => /^[\da-f]{64}$/.test(text)

/** @param text a digest, or what contains the id of a stored image */
async function findDigest(deps: Deps, text: string): Promise<string | undefined> {
  if (isDigest(text.toLowerCase())) return text.toLowerCase()
  const id = await findIdIn(deps, text, everyone)
  if (id === undefined) return undefined
  const image = await deps.db.selectFrom('images').select('sha256').where('id', '=', id).executeTakeFirst()
  return image?.sha256
}

interface NewBlocks {
  /** From {@link lockBlockedImages}. */
  version: number
  /** SHA-256, hex. */
  digests: string[]
  reason: string
  origin: AuditOrigin
  /** Ids of images that the transaction removes: they are not quarantined before. */
  removedNext?: string[]
}

/**
 * Blocks files and quarantines the stored images with these bytes.
 * @returns the number of new blocks, and of quarantined images
 * @throws {Failure} block_list_full
 */
export async function blockDigests(
  deps: InTransaction<AuditDeps>,
  { version, digests, reason, origin, removedNext = [] }: NewBlocks,
): Promise<{ added: number; quarantined: number }> {
  if (digests.length === 0) return { added: 0, quarantined: 0 }
  const { db, now } = deps
  const hashOf = await findHashes(db, digests)
  const added = await db
    .insertInto('blocked_images')
    .values(
      [...new Set(digests)].map((sha256) => ({
        sha256,
        ...(hashOf.get(sha256) ?? { phash: null, quality: null }),
        reason,
        created_at: now(),
        created_by: accountIdOf(origin.actor),
        version,
      })),
    )
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .returning('sha256')
    .execute()
  await assertBlocklistSpace(db, 'blocked_images', moderationLimits.maxBlockedImages)
  let copies = db
    .updateTable('images')
    .set({ quarantined_at: now() })
    .where('sha256', 'in', digests)
    .where('quarantined_at', 'is', null)
    .where(mayBeServed(now()))
  if (removedNext.length > 0) copies = copies.where('id', 'not in', removedNext)
  const quarantined = await copies.returning(['id', ...owned]).execute()
  const entries: AuditEvent[] = [
    ...added.map(({ sha256: id }) => ({
      ...origin,
      action: 'block_added' as const,
      target: { id },
      details: { reason },
    })),
    ...quarantined.map((row) => ({
      ...origin,
      action: 'image_quarantined' as const,
      target: { id: row.id },
      details: ownerOf(row),
    })),
  ]
  // Any number of images can have these bytes, but a statement has a limit of parameters.
  for await (const batch of inBatches(entries, auditedAtOnce)) await audit(deps, ...batch)
  for await (const batch of inBatches(quarantined, auditedAtOnce))
    await queuePurges(
      deps,
      batch.map(({ id }) => id),
    )
  return { added: added.length, quarantined: quarantined.length }
}

/** The same bytes have the same hash; images from before there was one have none. */
async function findHashes(db: Kysely<Schema>, digests: string[]) {
  const hashes = await db
    .selectFrom('images')
    .select((image) => ['sha256', image.fn.max('phash').as('phash'), image.fn.max('phash_quality').as('quality')])
    .where('sha256', 'in', digests)
    .groupBy('sha256')
    .execute()
  return new Map(hashes.map(({ sha256, phash, quality }) => [sha256, { phash, quality }]))
}

const versionSetting = 'blocked_images_version'

/**
 * Counts a change of the list, and locks it until the transaction ends, so that versions become visible
 * in their order and no upload is stored meanwhile. Call it before other statements on images: SQLite does not wait for another process
 * when a transaction upgrades from reading to writing.
 * @param deps.db a transaction
 * @returns the version of the rows that the transaction adds
 */
export async function lockBlockedImages(deps: Pick<Deps, 'config' | 'db'>): Promise<number> {
  await lockInTransaction(deps, deps.db, 'blockedImages')
  const { value } = await deps.db
    .insertInto('settings')
    .values({ name: versionSetting, value: '1' })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql`cast(cast(settings.value as integer) + 1 as text)` }),
    )
    .returning('value')
    .executeTakeFirstOrThrow()
  return Number(value)
}

/** Images that are quarantined stay so. */
export async function unblockImages(
  deps: Deps,
  { caller, address, body }: RequestOrigin & { body: { sha256: string[] } },
) {
  const wanted = body.sha256.map((digest) => digest.toLowerCase())
  const digests = await deps.db.transaction().execute(async (db) => {
    const removed = await db.deleteFrom('blocked_images').where('sha256', 'in', wanted).returning('sha256').execute()
    const entry = { actor: caller, address, action: 'block_removed' as const }
    await audit({ ...deps, db }, ...removed.map(({ sha256: id }) => ({ ...entry, target: { id } })))
    return removed.map(({ sha256 }) => sha256)
  })
  deps.log.info({ by: caller.account.id, digests }, 'images unblocked')
  return { success: true as const, removed: digests.length }
}
