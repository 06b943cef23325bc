// What users see and change of their own account.
import type { Input } from '../../../contract/endpoints/api.ts'
import { audit, targetUser } from '../audit/audit.ts'
import { type RequestOrigin, sessionOf, type UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext, ResponseOrigins } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { notifyUser } from '../mail/mail-queue.ts'
import { mailSite, passwordChangedMail } from '../mail/mail-texts.ts'
import { changeAccount, changedFields, toUser } from './account-rows.ts'
import { confirmPassword, confirmRecently } from './confirm-password.ts'
import { endCredentials } from './end-credentials.ts'
import { needsSecondFactor } from './factors/required-factor.ts'
import { assertStrongPassword } from './password-policy.ts'
import { hashPassword } from './passwords.ts'
import { startSession } from './sessions.ts'

export const getMe = async (deps: Deps, { caller }: { caller: UserCaller }) => ({
  user: toUser(deps, caller.account),
  needsSecondFactor: needsSecondFactor(deps, caller.account, sessionOf(caller)),
})

type OwnChanges = Input<'updateMe'>['body']

/**
 * A new password requires the current one, or where there is none a recent login. It ends all sessions and API keys, and
 * switches the webhooks off. `keepApiKeys` keeps keys and webhooks.
 * @throws {Failure} wrong_password, password_required, invalid_input, weak_password, invalid_token, busy, too_many_requests
 */
export async function updateMe(
  deps: Deps,
  { caller, address, userAgent, body }: Omit<RequestContext<UserCaller>, keyof ResponseOrigins> & { body: OwnChanges },
) {
  const { newPassword } = body
  const keepApiKeys = body.keepApiKeys === true
  const passwordHash = newPassword === undefined ? undefined : await changedPassword(deps, { caller, address }, body)
  const account = await deps.db.transaction().execute(async (transaction) => {
    const changed = await changeAccount(transaction, caller.account.id, {
      name: body.name,
      first_name: body.firstName,
      last_name: body.lastName,
      mail_digest: toFlag(body.mailDigest),
      show_name: toFlag(body.showName),
      upload_visibility: body.uploadVisibility,
      password_hash: passwordHash,
      password_expires_at: passwordHash === undefined ? undefined : null,
    })
    // Deleted since the request started.
    if (!changed) throw new Failure('invalid_token')
    const by = { actor: caller, address }
    const target = targetUser(changed)
    const own = { ...deps, db: transaction }
    if (passwordHash !== undefined) {
      await audit(own, { ...by, target, action: 'password_changed', details: { keepApiKeys } })
      await endCredentials(own, changed.id, body, by)
      await notifyUser(own, changed.id, passwordChangedMail(mailSite(deps)))
    }
    const fields = changedFields(body).filter((field) => !passwordFields.includes(field))
    if (fields.length > 0) await audit(own, { ...by, target, action: 'user_updated', details: { fields } })
    return changed
  })
  if (passwordHash === undefined) return { user: toUser(deps, account) }
  deps.log.info({ user: account.id, keepApiKeys }, 'password changed')
  const { hasSecondFactor = false } = sessionOf(caller)
  const token = await startSession(deps, account, { address, userAgent, hasSecondFactor })
  if (!token) throw new Failure('invalid_token')
  return { user: toUser(deps, account), token }
}

const toFlag = (isSet: boolean | undefined) => (isSet === undefined ? undefined : isSet ? 1 : 0)

const passwordFields = ['currentPassword', 'newPassword', 'keepApiKeys']

async function changedPassword(
  deps: Deps,
  origin: RequestOrigin,
  { currentPassword, newPassword = '' }: OwnChanges,
): Promise<string> {
  const { email, name, password_hash: hash } = origin.caller.account
  await assertStrongPassword(deps, { field: 'newPassword', password: newPassword, email, name })
  await (hash === '' ? confirmRecently(deps, origin) : confirmPassword(deps, origin, currentPassword))
  return hashPassword(newPassword)
}
