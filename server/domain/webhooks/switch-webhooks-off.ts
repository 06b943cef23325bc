// Switches webhooks off: by their user, or by the server when nothing arrives any more.
import type { WebhooksTable } from '../../db/schema.ts'
import { audit, type AuditDeps, type AuditOrigin } from '../audit/audit.ts'
import type { Deps, InTransaction } from '../shared/deps.ts'
import { queueMail } from '../mail/mail-queue.ts'
import { mailSite, webhookOffMail } from '../mail/mail-texts.ts'
import { unsubscribeUrl } from '../mail/unsubscribe.ts'

type OffReason = NonNullable<WebhooksTable['off_reason']>

/**
 * What is pending stays so, and is sent when the webhook is switched on again.
 * @param deps.db a transaction
 * @returns false when it was off already, or was deleted
 */
export async function switchOff({ db }: Pick<Deps, 'db'>, id: string, reason: OffReason): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set({ off_reason: reason })
    .where('id', '=', id)
    .where('off_reason', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await db
    .updateTable('webhook_deliveries')
    .set({ next_try_at: null })
    .where('webhook_id', '=', id)
    .where('next_try_at', 'is not', null)
    .execute()
  return true
}

/** Switches a webhook off for its user, and informs them. */
export async function switchOffAndNotify(
  deps: Deps,
  id: string,
  reason: Exclude<OffReason, 'user' | 'credentials'>,
): Promise<void> {
  await deps.db.transaction().execute(async (db) => {
    if (!(await switchOff({ db }, id, reason))) return
    const { url, user_id: owner } = await db
      .selectFrom('webhooks')
      .select(['url', 'user_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const host = hostLabel(url)
    await audit(
      { ...deps, db },
      { actor: 'server', action: 'webhook_switched_off', target: { id, label: host }, details: { owner, reason } },
    )
    if (!deps.mail) return
    const text = webhookOffMail(mailSite(deps), { host, reason, unsubscribeUrl: unsubscribeUrl(deps, owner) })
    await queueMail({ ...deps, db }, { userId: owner, ...text })
  })
}

/**
 * With the other credentials of an account: its user checks where they lead before switching them on.
 * @param deps.db a transaction that has written the user's row
 */
export async function switchOffAll(deps: InTransaction<AuditDeps>, userId: string, by: AuditOrigin): Promise<void> {
  const active = deps.db.selectFrom('webhooks').select(['id', 'url']).where('off_reason', 'is', null)
  const reason = 'credentials'
  for (const { id, url } of await active.where('user_id', '=', userId).execute()) {
    await switchOff(deps, id, reason)
    const target = { id, label: hostLabel(url) }
    await audit(deps, { ...by, action: 'webhook_switched_off', target, details: { owner: userId, reason } })
  }
}

/** @param deps.db a transaction */
export async function switchOn({ db, now }: Pick<Deps, 'db' | 'now'>, id: string): Promise<void> {
  await db.updateTable('webhooks').set({ off_reason: null, paused_until: 0 }).where('id', '=', id).execute()
  await db
    .updateTable('webhook_deliveries')
    .set({ next_try_at: now() })
    .where('webhook_id', '=', id)
    .where('status', '=', 'pending')
    .where('next_try_at', 'is', null)
    .execute()
}

/** How logs and mails name a webhook: its path may be a secret. */
export const hostLabel = (url: string) => new URL(url).host
