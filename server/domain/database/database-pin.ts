// The PIN of the database view: DB_VIEW_PIN, else one made at random, of which only the hash is kept.
import { limits } from '../../../contract/limits.ts'
import type { Deps } from '../deps.ts'
import { hashPassword, passwordMatches } from '../passwords.ts'
import { hashSecret, secretMatches } from '../secrets.ts'
import { deleteAttempts } from './pin-throttle.ts'

const setting = 'database_pin_hash'

/**
 * Sees to it that the database view has a PIN: DB_VIEW_PIN, else one made at random at the first start.
 * Answers the PIN only when it was made just now, to be shown to the operator once.
 */
export async function ensurePin(deps: Deps): Promise<string | null> {
  if (deps.config.DB_VIEW_PIN !== undefined) return null
  const kept = await deps.db.selectFrom('settings').select('name').where('name', '=', setting).executeTakeFirst()
  if (kept) return null
  const pin = randomPin(deps)
  const { numInsertedOrUpdatedRows: inserted } = await deps.db
    .insertInto('settings')
    .values({ name: setting, value: await hashPassword(pin) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  // Another server on this database was faster: its PIN is the one that counts.
  return inserted === 1n ? pin : null
}

/**
 * The operator's way out of a lost PIN or a locked view: a new random PIN, no locks, and every open view closed.
 * @returns the new PIN, or null where DB_VIEW_PIN rules: then only the locks are cleared
 */
export async function resetPin(deps: Deps): Promise<string | null> {
  const pin = deps.config.DB_VIEW_PIN === undefined ? randomPin(deps) : null
  const hash = pin === null ? null : await hashPassword(pin)
  await deps.db.transaction().execute(async (transaction) => {
    await deleteAttempts(transaction)
    await transaction.deleteFrom('database_unlocks').execute()
    if (hash === null) return
    await transaction
      .insertInto('settings')
      .values({ name: setting, value: hash })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: hash }))
      .execute()
  })
  return pin
}

/** @throws {Failure} busy, when too many hashes are waiting */
export async function pinMatches(deps: Deps, pin: string): Promise<boolean> {
  const { DB_VIEW_PIN: configured } = deps.config
  if (configured !== undefined) return secretMatches(pin, hashSecret(configured))
  const kept = await deps.db.selectFrom('settings').select('value').where('name', '=', setting).executeTakeFirst()
  return passwordMatches(pin, kept?.value ?? null)
}

function randomPin(deps: Deps): string {
  const count = 10 ** limits.databasePinDigits
  // 2^32 is so much more than 10,000 that the lower PINs are favoured by less than one in 400,000.
  return String(deps.randomBytes(4).readUInt32BE() % count).padStart(limits.databasePinDigits, '0')
}
