import { limits } from '../../../contract/limits.ts'
import type { Deps } from '../deps.ts'
import { hashPassword } from '../passwords.ts'

const setting = 'database_pin_hash'

/**
 * Sees to it that the database view has a PIN: DB_VIEW_PIN, else one made at random at the first start.
 * Answers the PIN only when it was made just now, to be shown to the operator once; only its hash is kept.
 */
export async function ensurePin(deps: Deps): Promise<string | null> {
  if (deps.config.DB_VIEW_PIN !== undefined) return null
  const kept = await deps.db.selectFrom('settings').select('name').where('name', '=', setting).executeTakeFirst()
  if (kept) return null
  const pin = randomPin(deps)
  await deps.db
    .insertInto('settings')
    .values({ name: setting, value: await hashPassword(pin) })
    .execute()
  return pin
}

function randomPin(deps: Deps): string {
  const count = 10 ** limits.databasePinDigits
  // 2^32 is so much more than 10,000 that the lower PINs are favoured by less than one in 400,000.
  return String(deps.randomBytes(4).readUInt32BE() % count).padStart(limits.databasePinDigits, '0')
}
