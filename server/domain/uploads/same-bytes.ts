// An upload of bytes that its owner has already stored.
import type { UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import type { ImageRow } from '../images/image-row.ts'

/**
 * Returns the caller's own available image of these bytes, which then lives at least `lifetimeMs`
 * from now; undefined when there is none.
 */
export async function reuseSameBytes(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { account }: UserCaller,
  sha256: string,
  lifetimeMs: number,
): Promise<ImageRow | undefined> {
  const found = await db
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', account.id)
    .where('sha256', '=', sha256)
    .where('expires_at', '>', now())
    .where('quarantined_at', 'is', null)
    .where('views_left', 'is', null)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const expiresAt = now() + lifetimeMs
  if (!found || found.expires_at >= expiresAt) return found
  return db
    .updateTable('images')
    .set({ expires_at: expiresAt })
    .where('id', '=', found.id)
    .where('expires_at', '>', now())
    .returningAll()
    .executeTakeFirst()
}
