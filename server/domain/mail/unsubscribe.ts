// Switches the mails that remind off by a link in each of them, without a login (RFC 8058).
import { createHmac, timingSafeEqual } from 'node:crypto'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { unsubscribePath } from '../../../contract/plain/page-paths.ts'
import { audit, targetUser } from '../audit/audit.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { throttleFailures } from '../shared/throttle.ts'

/** The values of {@link unsubscribePath}. */
export interface UnsubscribeLink {
  /** Of the account. */
  id: string
  token: string
}

/** The link of an account. It does not expire: mails are read later, and switching mails on needs a login. */
export const unsubscribeUrl = (deps: Pick<Deps, 'config' | 'jwtSecret'>, id: string): string =>
  `${deps.config.PUBLIC_URL ?? ''}${unsubscribePath.replace('{id}', id).replace('{token}', sign(deps, id))}`

const sign = ({ jwtSecret }: Pick<Deps, 'jwtSecret'>, id: string) =>
  createHmac('sha256', jwtSecret).update(`unsubscribe\n${id}`).digest('base64url')

/** @throws {Failure} mail_link_ended: altered, or of a deleted account; too_many_requests */
export async function checkUnsubscribeLink(deps: Deps, { id, token }: UnsubscribeLink, address: string): Promise<void> {
  const given = Buffer.from(token)
  const expected = Buffer.from(sign(deps, id))
  const isValid = await throttleFailures(
    deps,
    { key: `mail-link:${address}`, ...accountLimits.mailLinks.wrong },
    async () => (given.length === expected.length && timingSafeEqual(given, expected) ? true : null),
  )
  if (isValid !== true) throw new Failure('mail_link_ended')
}

/** @throws {Failure} as {@link checkUnsubscribeLink} */
export async function unsubscribe(deps: Deps, link: UnsubscribeLink, address: string): Promise<void> {
  await checkUnsubscribeLink(deps, link, address)
  await deps.db.transaction().execute(async (db) => {
    const account = await db
      .updateTable('users')
      .set({ mail_digest: 0 })
      .where('id', '=', link.id)
      .returning(['id', 'email'])
      .executeTakeFirst()
    if (!account) throw new Failure('mail_link_ended')
    const details = { fields: ['mailDigest'], byMail: true }
    const entry = { action: 'user_updated', target: targetUser(account), details } as const
    await audit({ ...deps, db }, { actor: { kind: 'guest' }, address, ...entry })
  })
  deps.log.info({ user: link.id }, 'unsubscribed by a link in a mail')
}
