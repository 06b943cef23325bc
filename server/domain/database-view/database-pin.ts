// The PIN of the database browser: DB_VIEW_PIN, else a random one of which only the hash is stored.
import { findStoredValue, storeFirstValue, storeValue } from '../../db/stored-values.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { audit, type AuditDeps } from '../audit/audit.ts'
import type { Deps } from '../shared/deps.ts'
import { hashPassword, passwordMatches } from '../accounts/passwords.ts'
import { hashSecret, secretMatches } from '../shared/secrets.ts'
import { deleteAttempts } from './pin-throttle.ts'

const setting = 'database_pin_hash'

type PinDeps = Pick<Deps, 'config' | 'db' | 'randomBytes'>

/**
 * Ensures that the database browser has a PIN: DB_VIEW_PIN, else a random one created at the first
 * start.
 * @returns the PIN when it was created now, to be shown to the operator once; else null
 */
export async function ensurePin(deps: PinDeps): Promise<string | null> {
  if (deps.config.DB_VIEW_PIN !== undefined) return null
  if ((await findStoredValue(deps.db, setting)) !== undefined) return null
  const pin = randomPin(deps)
  // If another server of this database was faster, its PIN is valid.
  return (await storeFirstValue(deps.db, setting, await hashPassword(pin))) ? pin : null
}

/**
 * Resets a lost PIN or a locked browser: a new random PIN, no lockouts, and every unlocked session
 * locked.
 * @returns the new PIN, or null when DB_VIEW_PIN is set: then only the lockouts are cleared
 */
export async function resetPin(deps: AuditDeps): Promise<string | null> {
  const pin = deps.config.DB_VIEW_PIN === undefined ? randomPin(deps) : null
  const hash = pin === null ? null : await hashPassword(pin)
  await deps.db.transaction().execute(async (transaction) => {
    await audit({ ...deps, db: transaction }, { actor: 'command_line', action: 'pin_reset' })
    await deleteAttempts(transaction)
    await transaction.deleteFrom('database_unlocks').execute()
    if (hash !== null) await storeValue(transaction, setting, hash)
  })
  return pin
}

/** @throws {Failure} busy when too many hashes are waiting */
export async function pinMatches(deps: Pick<Deps, 'config' | 'db'>, pin: string): Promise<boolean> {
  const { DB_VIEW_PIN: configured } = deps.config
  if (configured !== undefined) return secretMatches(pin, hashSecret(configured))
  return passwordMatches(pin, (await findStoredValue(deps.db, setting)) ?? null)
}

function randomPin({ randomBytes }: Pick<Deps, 'randomBytes'>): string {
  const count = 10 ** limits.databasePinDigits
  // The modulo bias is below one in 400,000, because 2^32 is much larger than 10,000.
  return String(randomBytes(4).readUInt32BE() % count).padStart(limits.databasePinDigits, '0')
}
