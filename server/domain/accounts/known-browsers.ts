// Announces a login from a browser that the user has not logged in with before.
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { hashAddress, shortAddress } from '../shared/address-privacy.ts'
import type { Account } from '../shared/caller.ts'
import type { Deps, InTransaction } from '../shared/deps.ts'
import { deviceName } from './device-name.ts'
import { notifyUser } from '../mail/mail-queue.ts'
import { mailSite, newLoginMail } from '../mail/mail-texts.ts'
import { hashSecret } from '../shared/secrets.ts'

const { maxPerUser, notices } = accountLimits.browsers

/** Where a login came from. */
interface Login {
  /** Of the client. */
  address: string
  userAgent: string | undefined
  /** The random text that the page stores; undefined for programs, which are known by their network. */
  browser: string | undefined
}

/**
 * Remembers the browser and queues its mail together. The first browser of an account is not announced. Without mail
 * nothing is stored.
 */
export async function announceUnknownBrowser(deps: Deps, account: Account, login: Login): Promise<void> {
  if (!deps.mail) return
  const network = shortAddress(login.address)
  const hash = login.browser === undefined ? hashAddress(deps, `program ${network}`) : hashSecret(login.browser)
  const now = deps.now()
  const shown = deps.config.LOG_ADDRESSES === 'hash' ? undefined : network
  const text = newLoginMail(mailSite(deps), { at: now, device: deviceName(login.userAgent), network: shown })
  // Counted before the transaction: the counter may be in the same database, on another connection.
  const key = `login-notice:${account.id}`
  const count = (await isKnown(deps, account.id, hash)) ? null : await deps.counters.hit(key, notices.windowMs, now)
  const isAnnounced = await deps.db.transaction().execute(async (db) => {
    const own = { ...deps, db }
    const isAnother = await noteBrowser(own, account.id, hash)
    if (!isAnother || count === null || count.hits > notices.limit) return false
    await notifyUser(own, account.id, text)
    return true
  })
  if (count !== null && !isAnnounced) await deps.counters.undoHit(key, count)
}

async function isKnown({ db }: Pick<Deps, 'db'>, userId: string, hash: string): Promise<boolean> {
  const known = db.selectFrom('known_browsers').select('seen_at').where('user_id', '=', userId)
  return (await known.where('browser_hash', '=', hash).executeTakeFirst()) !== undefined
}

/** @returns whether the user has others, but not this one */
async function noteBrowser({ db, now }: InTransaction<Deps>, userId: string, hash: string): Promise<boolean> {
  const seenAt = now()
  const known = await db
    .selectFrom('known_browsers')
    .select(['browser_hash', 'seen_at'])
    .where('user_id', '=', userId)
    .orderBy('seen_at', 'desc')
    .execute()
  await db
    .insertInto('known_browsers')
    .values({ user_id: userId, browser_hash: hash, seen_at: seenAt })
    .onConflict((conflict) => conflict.columns(['user_id', 'browser_hash']).doUpdateSet({ seen_at: seenAt }))
    .execute()
  if (known.length === 0 || known.some((one) => one.browser_hash === hash)) return false
  const beyond = known.slice(maxPerUser - 1).map((one) => one.browser_hash)
  if (beyond.length > 0)
    await db.deleteFrom('known_browsers').where('user_id', '=', userId).where('browser_hash', 'in', beyond).execute()
  return true
}
