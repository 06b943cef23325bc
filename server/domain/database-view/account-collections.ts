import { z } from 'zod'
import { accounts } from '../../../contract/endpoints/accounts.ts'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { cleanedName } from '../../../contract/endpoints/schema-parts.ts'
import { audit } from '../audit/audit.ts'
import { Failure } from '../shared/failure.ts'
import { removeEach, systemCollection } from '../shared/system-collection.ts'
import { toEntry } from '../accounts/api-keys.ts'
import { scopesOf } from '../accounts/authenticate-key.ts'
import { requireRecentConfirmation } from '../shared/recent-confirmation.ts'
import { concernsAdmin, deleteUser, updateUser } from '../accounts/manage-users.ts'

export const usersCollection = systemCollection({
  table: 'users',
  show: (row) => ({
    email: row.email,
    name: row.name,
    firstName: row.first_name,
    lastName: row.last_name,
    role: row.role,
    status: row.status,
    quotaBytes: row.quota_bytes,
    quotaImages: row.quota_images,
  }),
  editable: accounts.updateUser.body.pick({
    name: true,
    firstName: true,
    lastName: true,
    role: true,
    status: true,
    quotaBytes: true,
    quotaImages: true,
  }),
  update: (deps, { caller, address, id, fields }) =>
    updateUser(deps, { caller, address, params: { userId: id }, body: fields }),
  async remove(deps, { caller, address, ids }) {
    // Checked first. The calling admin remains, so `last_admin` cannot occur half-way.
    if (ids.includes(caller.account.id)) throw new Failure('own_account')
    const accounts = await deps.db.selectFrom('users').select('role').where('id', 'in', ids).execute()
    if (accounts.some((account) => concernsAdmin(account))) requireRecentConfirmation(deps, caller)
    return removeEach(ids, (userId) => deleteUser(deps, { caller, address, params: { userId } }), 'user_not_found')
  },
})

export const apiKeysCollection = systemCollection({
  table: 'api_keys',
  show: (row) => ({
    user_id: row.user_id,
    name: row.name,
    prefix: row.prefix,
    scopes: scopesOf(row),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
    uploadedBytes: row.uploaded_bytes,
    lastUsed: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  }),
  editable: z.strictObject({ name: cleanedName(accountLimits.apiKeys.maxNameLength).min(1).optional() }),
  async update(deps, { caller, address, id, fields }) {
    const row = await deps.db.transaction().execute(async (db) => {
      const changed = db.updateTable('api_keys').set({ name: fields.name }).where('id', '=', id)
      const after = await changed.returning(['name', 'user_id']).executeTakeFirst()
      if (!after) return undefined
      await audit(
        { ...deps, db },
        {
          actor: caller,
          address,
          action: 'api_key_updated',
          target: { id, label: after.name },
          details: { owner: after.user_id, fields: Object.keys(fields) },
        },
      )
      return after
    })
    if (row) deps.log.info({ user: row.user_id, key: id, by: caller.account.id }, 'API key renamed')
  },
  async remove(deps, { caller, address, ids }) {
    const deleted = await deps.db.transaction().execute(async (db) => {
      const rows = await db.deleteFrom('api_keys').where('id', 'in', ids).returningAll().execute()
      await audit(
        { ...deps, db },
        ...rows.map((row) => ({
          actor: caller,
          address,
          action: 'api_key_deleted' as const,
          ...toEntry(row),
        })),
      )
      return rows
    })
    for (const { id, user_id: user } of deleted)
      deps.log.info({ user, key: id, by: caller.account.id }, 'API key deleted')
    return deleted.length
  },
})
