// Announces a login from a browser that the user has not logged in with before.
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { hashAddress, shortAddress } from '../shared/address-privacy.ts'
import type { Account } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
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

/** The first browser of an account is not announced. Without mail nothing is stored. */
export async function announceUnknownBrowser(deps: Deps, account: Account, login: Login): Promise<void> {
  if (!deps.mail) return
  const network = shortAddress(login.address)
  const hash = login.browser === undefined ? hashAddress(deps, `program ${network}`) : hashSecret(login.browser)
  const now = deps.now()
  if (!(await noteBrowser(deps, account.id, hash))) return
  const { hits } = await deps.counters.hit(`login-notice:${account.id}`, notices.windowMs, now)
  if (hits > notices.limit) return
  const shown = deps.config.LOG_ADDRESSES === 'hash' ? undefined : network
  await notifyUser(
    deps,
    account.id,
    newLoginMail(mailSite(deps), { at: now, device: deviceName(login.userAgent), network: shown }),
  )
}

/** @returns whether the user has others, but not this one */
function noteBrowser(deps: Deps, userId: string, hash: string): Promise<boolean> {
  const now = deps.now()
  return deps.db.transaction().execute(async (db) => {
    const known = await db
      .selectFrom('known_browsers')
      .select(['browser_hash', 'seen_at'])
      .where('user_id', '=', userId)
      .orderBy('seen_at', 'desc')
      .execute()
    await db
      .insertInto('known_browsers')
      .values({ user_id: userId, browser_hash: hash, seen_at: now })
      .onConflict((conflict) => conflict.columns(['user_id', 'browser_hash']).doUpdateSet({ seen_at: now }))
      .execute()
    if (known.length === 0 || known.some((one) => one.browser_hash === hash)) return false
    const beyond = known.slice(maxPerUser - 1).map((one) => one.browser_hash)
    if (beyond.length > 0)
      await db.deleteFrom('known_browsers').where('user_id', '=', userId).where('browser_hash', 'in', beyond).execute()
    return true
  })
}
