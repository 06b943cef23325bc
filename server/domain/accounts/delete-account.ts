// Deletes accounts: for their users, at once or after seven days, and for admins (docs/decisions/0052).
import type { Kysely } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { Schema } from '../../db/schema.ts'
import { audit, type AuditDeps, type AuditOrigin, targetUser } from '../audit/audit.ts'
import { eraseFromAuditLog } from '../audit/erase-from-audit-log.ts'
import type { Account, RequestOrigin } from '../shared/caller.ts'
import { queuePurgesOfOwner } from '../images/cache-purges.ts'
import type { Deps, InTransaction } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { notifyUser, queueMail } from '../mail/mail-queue.ts'
import { accountDeletedMail, deletionRequestedMail, mailSite } from '../mail/mail-texts.ts'
import { getById, toUser } from './account-rows.ts'
import { deleteAllApiKeys } from './api-keys.ts'
import { confirmRecently } from './confirm-password.ts'
import { assertNotLastAdmin, lockAdminChanges } from './last-admin.ts'
import { endAllSessions } from './sessions.ts'

const dueAtOnce = 100

/**
 * Deletes the caller's account at once, or in {@link limits.account.deletionGraceMs}: until then it
 * works as before, and {@link restoreMe} cancels the deletion.
 * @throws {Failure} password_required, wrong_password, busy, too_many_requests; last_admin
 */
export async function deleteMe(deps: Deps, { caller, address, body }: RequestOrigin & Pick<Input<'deleteMe'>, 'body'>) {
  await confirmRecently(deps, { caller, address }, body.currentPassword)
  const { id } = caller.account
  const by = { actor: caller, address }
  const deletionAt = body.immediately === true ? deps.now() : deps.now() + limits.account.deletionGraceMs
  const deleting = body.immediately === true ? eraseAccount(deps, id, by) : requestDeletion(deps, id, deletionAt, by)
  await deleting.catch((error: unknown) => {
    // Deleted since the request started.
    if (error instanceof Failure && error.code === 'user_not_found')
      throw new Failure('invalid_token', {}, { cause: error })
    throw error
  })
  deps.log.info({ user: id, deletionAt }, 'account deletion requested')
  return { success: true as const, deletion_at: new Date(deletionAt).toISOString() }
}

async function requestDeletion(deps: Deps, id: string, at: number, by: AuditOrigin): Promise<void> {
  await deps.db.transaction().execute(async (db) => {
    await lockAdminChanges(db)
    const account = await getById(db, id)
    await assertNotLastAdmin(db, account)
    await db.updateTable('users').set({ deletion_at: at }).where('id', '=', id).execute()
    const details = { at: new Date(at).toISOString() }
    await audit({ ...deps, db }, { ...by, action: 'deletion_requested', target: targetUser(account), details })
    await notifyUser({ ...deps, db }, id, deletionRequestedMail(mailSite(deps), at))
  })
}

/** Cancels the deletion of the caller's account, if one is due. */
export async function restoreMe(deps: Deps, { caller, address }: RequestOrigin) {
  await cancelDeletion(deps, caller.account, { actor: caller, address })
  return { user: toUser(deps, { ...caller.account, deletion_at: null }) }
}

async function cancelDeletion(deps: Deps, account: Pick<Account, 'id' | 'email'>, by: AuditOrigin): Promise<void> {
  const isCancelled = await deps.db.transaction().execute(async (db) => {
    const pending = db.updateTable('users').set({ deletion_at: null }).where('id', '=', account.id)
    const { numUpdatedRows } = await pending.where('deletion_at', 'is not', null).executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await audit({ ...deps, db }, { ...by, action: 'deletion_cancelled', target: targetUser(account) })
    return true
  })
  if (isCancelled) deps.log.info({ user: account.id }, 'account deletion cancelled')
}

/** Deletes the accounts whose time has come. @param now UTC milliseconds of the trusted clock */
export async function deleteDueAccounts(deps: Deps, now: number): Promise<{ accounts: number }> {
  const due = await deps.db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('deletion_at', '<=', now)
    .orderBy('deletion_at')
    .limit(dueAtOnce)
    .execute()
  let accounts = 0
  for (const account of due) {
    try {
      await eraseAccount(deps, account.id, { actor: 'server' }, now)
      accounts++
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      // Became the last admin since, or cancelled the deletion at the last moment.
      if (error.code === 'last_admin') await cancelDeletion(deps, account, { actor: 'server' })
      else if (error.code !== 'user_not_found') throw error
    }
  }
  return { accounts }
}

/**
 * Deletes an account for its user, with everything that identifies the user.
 * @param dueAt deletes only an account whose deletion is due then
 * @throws {Failure} user_not_found, last_admin
 */
async function eraseAccount(deps: Deps, id: string, by: AuditOrigin, dueAt?: number): Promise<void> {
  const account = await findDue(deps.db, id, dueAt)
  await assertNotLastAdmin(deps.db, account)
  // Most entries before the transaction, which then erases only those that were written since.
  await eraseFromAuditLog(deps.db, account)
  await deps.db.transaction().execute(async (db) => {
    await lockAdminChanges(db)
    await findDue(db, id, dueAt)
    await removeAccount({ ...deps, db }, id, by)
    const cases = db.updateTable('report_cases').set((row) => ({ owner_id: null, original_name: row.ref('image_id') }))
    await cases.where('owner_id', '=', id).execute()
    const links = db.updateTable('tombstones').set({ slug: null, slug_owner_id: null })
    await links.where('slug_owner_id', '=', id).execute()
    await eraseFromAlbums(db, account)
    await eraseFromAuditLog(db, account)
    if (!deps.mail || account.email_confirmed_at === null) return
    const dropAt = deps.now() + limits.account.deletionGraceMs
    await queueMail({ ...deps, db }, { toAddress: account.email, ...accountDeletedMail(mailSite(deps)), dropAt })
  })
  await deps.uploadRecords.removeOf(id)
  deps.log.info({ user: id }, 'account deleted for its user')
}

/** Invites of others to the user's address, and the address where another account accepted one. */
async function eraseFromAlbums(db: Kysely<Schema>, { email }: Account): Promise<void> {
  await db.deleteFrom('album_members').where('email', '=', email).where('user_id', 'is', null).execute()
  await db.updateTable('album_members').set({ email: null }).where('email', '=', email).execute()
}

/** @throws {Failure} user_not_found */
async function findDue(db: Kysely<Schema>, id: string, dueAt?: number): Promise<Account> {
  const account = await getById(db, id)
  if (dueAt !== undefined && (account.deletion_at === null || account.deletion_at > dueAt))
    throw new Failure('user_not_found')
  return account
}

/**
 * Deletes an account with its sessions and API keys. Its images expire at once: they are not served
 * any more, and the sweep deletes the bytes.
 * @param deps.db a transaction with {@link lockAdminChanges}
 * @throws {Failure} user_not_found, last_admin
 */
export async function removeAccount(deps: InTransaction<AuditDeps>, id: string, by: AuditOrigin): Promise<void> {
  const account = await getById(deps.db, id)
  await assertNotLastAdmin(deps.db, account)
  const releaseImages = async () => {
    await queuePurgesOfOwner(deps, account.id)
    const own = deps.db.selectFrom('images').select('id').where('owner_id', '=', account.id)
    const added = deps.db.updateTable('album_images').set({ added_by: null }).where('added_by', '=', account.id)
    // Only owners add an image, and an index finds what they own.
    await added.where('image_id', 'in', own).execute()
    await deps.db
      .updateTable('images')
      // Ends the undo period of images that the user just deleted.
      .set({
        owner_id: null,
        former_owner_id: account.id,
        expires_at: deps.now(),
        undo_until: null,
        undo_expires_at: null,
      })
      .where('owner_id', '=', account.id)
      .execute()
    await deps.db.updateTable('image_tags').set({ owner_id: null }).where('owner_id', '=', account.id).execute()
  }
  await releaseImages()
  await lockAccount(deps, account.id)
  // Covers uploads that were written before the lock. The update before the lock is needed too:
  // deletions lock images before their owner.
  await releaseImages()
  await endAllSessions(deps.db, account.id)
  await deleteAllApiKeys(deps, account.id, by)
  await deps.db.deleteFrom('users').where('id', '=', account.id).execute()
  const details = { images: account.image_count, bytes: account.image_bytes }
  await audit(deps, { ...by, action: 'user_deleted', target: targetUser(account), details })
}

/** Waits for concurrent writes of this account. SQLite transactions are exclusive anyway. */
async function lockAccount({ config, db }: Pick<Deps, 'config' | 'db'>, id: string): Promise<void> {
  await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .$if(config.DATABASE_URL !== undefined, (query) => query.forUpdate())
    .execute()
}
