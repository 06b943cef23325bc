// The trash of an account: what its user deleted on the page, restorable for TRASH_DAYS (docs/decisions/0065).
import type { Input } from '../../../../contract/endpoints/api.ts'
import type { TrashedImage } from '../../../../contract/endpoints/trash.ts'
import { readOldestFirst } from '../../../db/read-oldest-first.ts'
import { audit } from '../../audit/audit.ts'
import type { RequestOrigin, UserCaller } from '../../shared/caller.ts'
import type { Deps, RequestContext } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { type Page, readPage } from '../../shared/keyset-page.ts'
import { retryWhenDiskFull } from '../../shared/retry-when-disk-full.ts'
import { lockImages } from '../../shared/transaction-locks.ts'
import { type Deletion, isInTrash } from './deletion-states.ts'
import { type ImageRow, toImage } from '../image-row.ts'
import { removeImages } from './remove-images.ts'
import { restoreDeleted } from './restore-images.ts'
import { softDeleteImage } from './delete-image.ts'

/** @throws {Failure} invalid_input: an invalid cursor */
export function listTrash(
  deps: Deps,
  { caller, query, ...origins }: RequestContext<UserCaller> & Pick<Input<'listTrash'>, 'query'>,
): Promise<Page<TrashedImage>> {
  const rows = trashOf(deps, caller)
  return readPage(rows.selectAll(), rows, {
    ...query,
    sort: 'trash',
    by: ['undo_until', 'id'],
    keyOf: (row) => ({ value: row.undo_until ?? 0, id: row.id }),
    show: (row) => ({
      ...toImage(deps, { ...row, expires_at: row.undo_expires_at ?? row.expires_at }, origins),
      restorable_until: new Date(row.undo_until ?? 0).toISOString(),
    }),
  })
}

/** What the user sees. What an admin hides cannot be restored either, and is removed when its days are over. */
const trashOf = ({ db, now }: Deps, { account }: UserCaller) =>
  db.selectFrom('images').where('owner_id', '=', account.id).where(isInTrash(now())).where('quarantined_at', 'is', null)

/** @throws {Failure} image_not_found: it is not in the caller's trash */
export async function findTrashedImage(deps: Deps, caller: UserCaller, id: string): Promise<ImageRow> {
  const row = await trashOf(deps, caller).selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new Failure('image_not_found')
  return row
}

/** Image by image, as their owner's requests one after another: each is deleted or is not. */
export async function moveToTrash(
  deps: Deps,
  { caller, address, body }: RequestOrigin<UserCaller> & Pick<Input<'moveToTrash'>, 'body'>,
) {
  const own = await deps.db
    .selectFrom('images')
    .select('id')
    .where('id', 'in', body.ids)
    .where('owner_id', '=', caller.account.id)
    .where('quarantined_at', 'is', null)
    .execute()
  const by: Deletion = deps.config.TRASH_DAYS > 0 ? 'toTrash' : 'byOwner'
  const ids: string[] = []
  for (const { id } of own) {
    // A full disk is no reason to fail.
    if (await retryWhenDiskFull(deps, () => softDeleteImage(deps, id, { caller, address, by }))) ids.push(id)
  }
  return { success: true as const, ids }
}

/** @throws {Failure} quota_exceeded: nothing is restored */
export async function restoreFromTrash(
  deps: Deps,
  { caller, address, body: { ids }, ...origins }: RequestContext<UserCaller> & Pick<Input<'restoreFromTrash'>, 'body'>,
) {
  const rows = await restoreDeleted(deps, { ids, by: ['byOwner'], ownerId: caller.account.id, caller, address })
  return { success: true as const, images: rows.map((row) => toImage(deps, row, origins)) }
}

export const deleteFromTrash = (
  deps: Deps,
  { caller, address, body }: RequestOrigin<UserCaller> & Pick<Input<'deleteFromTrash'>, 'body'>,
) => empty(deps, { caller, address }, body.ids)

export const emptyTrash = (deps: Deps, request: RequestOrigin<UserCaller>) => empty(deps, request)

/** Images whose days are ended at once: 200,000 in one statement take longer than PostgreSQL is given, and block SQLite. */
const endedAtOnce = 2000
const batchSize = 100
/** A larger trash is left to the sweep: a request must end. */
const maxBatches = 20

/**
 * First ends the time in which the images can be restored, so that the sweep removes what a crash leaves. Then removes them.
 * @param ids Default: all
 */
async function empty(deps: Deps, request: RequestOrigin<UserCaller>, ids?: string[]) {
  const now = deps.now()
  const ended: Ended = { images: 0, bytes: 0 }
  for await (const part of ids ? [ids] : idsInTrash(deps, request.caller, now)) {
    // A full disk is no reason to fail: this frees space.
    const { images, bytes } = await retryWhenDiskFull(deps, () => endDays(deps, request, part, now))
    ended.images += images
    ended.bytes += bytes
  }
  if (ended.images > 0) await removeEnded(deps, request, now)
  return { success: true as const, ...ended }
}

/** Each part begins where the last one ended, not before the rows that have left. */
async function* idsInTrash(deps: Deps, caller: UserCaller, now: number): AsyncGenerator<string[]> {
  const rows = () => trashOf({ ...deps, now: () => now }, caller).select(['id', 'created_at', 'undo_until'])
  for await (const part of readOldestFirst(rows, endedAtOnce, 'undo_until')) yield part.map(({ id }) => id)
}

interface Ended {
  images: number
  bytes: number
}

const endDays = (deps: Deps, { caller, address }: RequestOrigin<UserCaller>, ids: string[], now: number) =>
  deps.db.transaction().execute(async (db): Promise<Ended> => {
    await lockImages(deps, db, ids)
    const ended = await db
      .updateTable('images')
      // Over by every clock: another request may have read its own before, and another server's may be behind.
      .set({ undo_until: 0 })
      .where('id', 'in', ids)
      .where('owner_id', '=', caller.account.id)
      .where(isInTrash(now))
      .where('quarantined_at', 'is', null)
      .returning('bytes')
      .execute()
    const images = ended.length
    if (images > 0)
      await audit({ ...deps, db }, { actor: caller, address, action: 'trash_emptied', details: { images } })
    return { images, bytes: ended.reduce((sum, row) => sum + row.bytes, 0) }
  })

async function removeEnded(deps: Deps, { caller, address }: RequestOrigin<UserCaller>, now: number): Promise<void> {
  for (let batch = 0; batch < maxBatches; batch++) {
    const ended = await deps.db
      .selectFrom('images')
      .select('id')
      .where('owner_id', '=', caller.account.id)
      .where('undo_until', '<=', now)
      .limit(batchSize)
      .execute()
    if (ended.length === 0) return
    const ids = ended.map(({ id }) => id)
    await removeImages(deps, ids, { actor: caller, address, action: 'image_deleted', onlyDueAt: now })
  }
}
