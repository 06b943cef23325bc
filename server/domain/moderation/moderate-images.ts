// Moderation by admins: quarantines, restores, removes and blocks images (docs/decisions/0031).
import type { Input } from '../../../contract/endpoints/api.ts'
import { audit, type AuditDeps, type AuditEvent, type AuditOrigin } from '../audit/audit.ts'
import { queuePurges } from '../images/cache-purges.ts'
import type { RequestOrigin } from '../shared/caller.ts'
import type { Deps, InTransaction } from '../shared/deps.ts'
import { blockDigests, lockBlockedImages } from './blocked-images.ts'
import { mayBeServed } from '../images/deletion/deletion-states.ts'
import { deleteBytes, owned, type Owned, ownerOf, removeRows } from '../images/deletion/remove-images.ts'
import { retryWhenDiskFull } from '../shared/retry-when-disk-full.ts'

/**
 * @returns the images changed, and the other images with the same bytes that a block quarantined
 * @throws {Failure} block_list_full
 */
export async function moderateImages(
  deps: Deps,
  { caller, address, body: { ids, ...moderation } }: RequestOrigin & Pick<Input<'moderateImages'>, 'body'>,
) {
  const { removed, ...counts } = await retryWhenDiskFull(deps, () =>
    deps.db.transaction().execute((db) => moderate({ ...deps, db }, ids, { ...moderation, actor: caller, address })),
  )
  await deleteBytes(deps, removed)
  deps.log.info({ by: caller.account.id, action: moderation.action, ids, ...counts }, 'images moderated')
  return { success: true as const, ...counts }
}

interface Moderation extends AuditOrigin {
  action: Input<'moderateImages'>['body']['action']
  /** Of a block. */
  reason?: string | undefined
}

/**
 * Changes the rows of images. The hot caches of all servers notice it (server/db/image-changes.ts).
 * @returns the counts of {@link moderateImages}, and the removed images. The caller deletes their
 * bytes after the commit.
 * @throws {Failure} block_list_full
 */
export async function moderate(
  deps: InTransaction<Deps>,
  ids: string[],
  { action, reason = '', ...origin }: Moderation,
): Promise<{ images: number; copies: number; removed: { id: string }[] }> {
  if (action === 'quarantine' || action === 'restore') {
    const images = await setQuarantine(deps, ids, action === 'quarantine', origin)
    return { images, copies: 0, removed: [] }
  }
  const copies = action === 'block' ? await blockBytesOf(deps, ids, reason, origin) : 0
  const removed = await removeRows(deps, ids, {
    ...origin,
    action: action === 'block' ? 'image_blocked' : 'image_deleted',
  })
  return { images: removed.length, copies, removed }
}

async function setQuarantine(
  deps: InTransaction<Deps>,
  ids: string[],
  isQuarantined: boolean,
  origin: AuditOrigin,
): Promise<number> {
  const rows = await deps.db
    .updateTable('images')
    .set({ quarantined_at: isQuarantined ? deps.now() : null })
    .where('id', 'in', ids)
    .where('quarantined_at', isQuarantined ? 'is' : 'is not', null)
    .where(mayBeServed(deps.now()))
    .returning(['id', ...owned])
    .execute()
  if (isQuarantined)
    await queuePurges(
      deps,
      rows.map(({ id }) => id),
    )
  await auditEach(deps, rows, { ...origin, action: isQuarantined ? 'image_quarantined' : 'quarantine_lifted' })
  return rows.length
}

/**
 * Blocks the bytes of these images and quarantines every other image that has them.
 * @returns the number of images quarantined
 */
async function blockBytesOf(
  deps: InTransaction<Deps>,
  ids: string[],
  reason: string,
  origin: AuditOrigin,
): Promise<number> {
  const version = await lockBlockedImages(deps)
  const rows = await deps.db.selectFrom('images').select('sha256').distinct().where('id', 'in', ids).execute()
  const digests = rows.map(({ sha256 }) => sha256)
  const { quarantined } = await blockDigests(deps, { version, digests, reason, origin, removedNext: ids })
  return quarantined
}

const auditEach = (
  deps: InTransaction<AuditDeps>,
  rows: (Owned & { id: string })[],
  event: Omit<AuditEvent, 'target' | 'details'>,
) => audit(deps, ...rows.map((row) => ({ ...event, target: { id: row.id }, details: ownerOf(row) })))
