import { z } from 'zod'
import { accounts } from '../../../contract/accounts.ts'
import { limits } from '../../../contract/limits.ts'
import { cleanedName } from '../../../contract/schema-parts.ts'
import { Failure } from '../failure.ts'
import { removeEach, systemCollection } from '../system-collection.ts'
import { scopesOf } from './authenticate-key.ts'
import { deleteUser, updateUser } from './users.ts'

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
  update: (deps, { caller, id, fields }) => updateUser(deps, { caller, params: { userId: id }, body: fields }),
  async remove(deps, { caller, ids }) {
    // Checked first. The calling admin remains, so `last_admin` cannot occur half-way.
    if (ids.includes(caller.account.id)) throw new Failure('own_account')
    return removeEach(ids, (userId) => deleteUser(deps, { caller, params: { userId } }), 'user_not_found')
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
  editable: z.strictObject({ name: cleanedName(limits.apiKeys.maxNameLength).min(1).optional() }),
  async update(deps, { caller, id, fields }) {
    const changed = deps.db.updateTable('api_keys').set({ name: fields.name }).where('id', '=', id)
    const row = await changed.returning('user_id').executeTakeFirst()
    if (row) deps.log.info({ user: row.user_id, key: id, by: caller.account.id }, 'API key renamed')
  },
  async remove(deps, { caller, ids }) {
    const deleted = await deps.db.deleteFrom('api_keys').where('id', 'in', ids).returning(['id', 'user_id']).execute()
    for (const { id, user_id: user } of deleted)
      deps.log.info({ user, key: id, by: caller.account.id }, 'API key deleted')
    return deleted.length
  },
})
