// Recovery codes: each replaces a lost second factor once.
import type { Kysely } from 'kysely'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import { countRows } from '../../../db/count-rows.ts'
import type { Schema } from '../../../db/schema.ts'
import { audit, type AuditDeps, targetUser } from '../../audit/audit.ts'
import type { RequestOrigin } from '../../shared/caller.ts'
import type { Deps, InTransaction } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { hashSecret } from '../../shared/secrets.ts'
import { confirmRecently } from '../confirm-password.ts'
import { factorsOf } from './required-factor.ts'

/** @throws {Failure} password_required; no_second_factor */
export async function createRecoveryCodes(
  deps: Deps,
  { caller, address }: RequestOrigin,
): Promise<{ recoveryCodes: string[] }> {
  await confirmRecently(deps, { caller, address })
  return deps.db.transaction().execute(async (db) => {
    if ((await factorsOf(db, caller.account.id)).length === 0) throw new Failure('no_second_factor')
    return { recoveryCodes: await replaceRecoveryCodes({ ...deps, db }, { caller, address }) }
  })
}

/** Creates the codes with the first factor of an account. @returns undefined when it has some */
export async function createFirstRecoveryCodes(
  deps: InTransaction<AuditDeps>,
  origin: RequestOrigin,
): Promise<string[] | undefined> {
  return (await countRecoveryCodes(deps.db, origin.caller.account.id)) > 0
    ? undefined
    : replaceRecoveryCodes(deps, origin)
}

async function replaceRecoveryCodes(
  deps: InTransaction<AuditDeps>,
  { caller, address }: RequestOrigin,
): Promise<string[]> {
  const { account } = caller
  const codes = Array.from({ length: accountLimits.factors.recoveryCodes }, () => newCode(deps.randomBytes(15)))
  await deps.db.deleteFrom('recovery_codes').where('user_id', '=', account.id).execute()
  const rows = codes.map((code) => ({ code_hash: hashOf(code), user_id: account.id, created_at: deps.now() }))
  await deps.db.insertInto('recovery_codes').values(rows).execute()
  const entry = { action: 'recovery_codes_created', target: targetUser(account) } as const
  await audit(deps, { actor: caller, address, ...entry })
  return codes
}

/** Deletes the code. @returns whether the account had it */
export async function consumeRecoveryCode(db: Kysely<Schema>, userId: string, code: string): Promise<boolean> {
  const found = db.deleteFrom('recovery_codes').where('code_hash', '=', hashOf(code)).where('user_id', '=', userId)
  return (await found.executeTakeFirstOrThrow()).numDeletedRows > 0n
}

export const countRecoveryCodes = (db: Kysely<Schema>, userId: string): Promise<number> =>
  countRows(db.selectFrom('recovery_codes').where('user_id', '=', userId))

/** Base32 (RFC 4648) in lower case: without 0, 1, 8 and 9, which people confuse with letters. */
const letters = 'abcdefghijklmnopqrstuvwxyz234567'

/** @param bytes 15: 120 random bits, which need no slow hash. Example: k3vq-7mzd-x2pa-t6wn-b4ce-y5hs */
function newCode(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const code = bits.replace(/.{5}/g, (five) => letters[Number.parseInt(five, 2)] ?? '')
  return code.replace(/.{4}(?=.)/g, '$&-')
}

/** Of a code as people type it. */
const hashOf = (code: string) => hashSecret(code.toLowerCase().replace(/[^a-z2-7]/g, ''))
