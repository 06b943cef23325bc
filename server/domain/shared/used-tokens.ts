// Signed tokens that work once: the database remembers a used one until it expires, so that neither a restart nor another
// server accepts it again.
import type { Deps } from './deps.ts'

interface OnceOnly {
  kind: 'download' | 'passkey' | 'oidc' | 'proof'
  /** Random, of the signed token. Not its text: base64url has several spellings of the same signature. */
  id: string
  /** At least as long as the token works. */
  lifetimeMs: number
}

/** Marks a token as used. Atomic. @returns false when it was used before */
export async function useOnce(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { kind, id, lifetimeMs }: OnceOnly,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: inserted } = await db
    .insertInto('used_tokens')
    .values({ id: `${kind}:${id}`, expires_at: now() + lifetimeMs })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return inserted === 1n
}

/** Forgets the tokens that have expired. @param now UTC milliseconds of the trusted clock */
export async function sweepUsedTokens({ db }: Pick<Deps, 'db'>, now: number): Promise<{ usedTokens: number }> {
  const { numDeletedRows } = await db.deleteFrom('used_tokens').where('expires_at', '<=', now).executeTakeFirstOrThrow()
  return { usedTokens: Number(numDeletedRows) }
}
