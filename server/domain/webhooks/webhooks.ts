// Webhooks of a user: created, listed, changed, deleted, with a secret that can be replaced.
import type { Kysely } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { type WebhookEvent, webhookEvents } from '../../../contract/plain/webhook-events.ts'
import type { NewWebhook, Webhook } from '../../../contract/endpoints/webhooks.ts'
import { countRows } from '../../db/count-rows.ts'
import type { Schema, WebhooksTable } from '../../db/schema.ts'
import { hasPrivateAddress } from '../../remote/public-addresses.ts'
import { problemOfUrl } from '../../remote/remote-client.ts'
import { audit, type AuditEvent } from '../audit/audit.ts'
import type { RequestOrigin, UserCaller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { notifyUser } from '../mail/mail-queue.ts'
import { mailSite, webhookMail } from '../mail/mail-texts.ts'
import { requireRecentConfirmation } from '../shared/recent-confirmation.ts'
import { newId } from '../shared/secrets.ts'
import { lockOf, lockSession } from '../shared/session-expiry.ts'
import { newWebhookSecret } from './sign-deliveries.ts'
import { eventsOf } from './queue-events.ts'
import { hostLabel, switchOff, switchOn } from './switch-webhooks-off.ts'

type WebhookChange = RequestOrigin & { params: { id: string } }

/** @throws {Failure} password_required; invalid_input: url, events; too_many_webhooks; invalid_token: the session ended meanwhile */
export async function createWebhook(
  deps: Deps,
  { caller, address, body }: RequestOrigin & Pick<Input<'createWebhook'>, 'body'>,
): Promise<NewWebhook> {
  assertAllowedUrl(deps, body.url)
  assertAllowedEvents(caller, body.events)
  requireRecentConfirmation(deps, caller)
  const now = deps.now()
  const row: WebhooksTable = {
    id: newId(deps),
    user_id: caller.account.id,
    url: body.url,
    events: joinEvents(body.events),
    secret: newWebhookSecret(deps),
    old_secret: null,
    old_secret_until: null,
    created_at: now,
    off_reason: null,
    paused_until: 0,
    expiring_until: now,
  }
  await deps.db.transaction().execute(async (db) => {
    await lockSession(db, lockOf(caller))
    await db.insertInto('webhooks').values(row).execute()
    const count = await countRows(db.selectFrom('webhooks').where('user_id', '=', row.user_id))
    const { maxPerUser: limit } = limits.webhooks
    if (count > limit) throw new Failure('too_many_webhooks', { limit })
    await assertHostNotCrowded(db, row)
    await audit({ ...deps, db }, { actor: caller, address, action: 'webhook_created', ...toEntry(row) })
    await notifyUser({ ...deps, db }, row.user_id, webhookMail(mailSite(deps), 'created'))
  })
  return { ...toWebhook({ ...row, pending: 0 }), secret: row.secret }
}

export async function listWebhooks(deps: Pick<Deps, 'db'>, { caller }: { caller: UserCaller }) {
  const rows = await selectWebhooks(deps.db, caller).orderBy('created_at', 'desc').orderBy('id').execute()
  return { items: rows.map(toWebhook), total: rows.length, nextCursor: null }
}

/** A new URL needs a recent confirmation. @throws {Failure} password_required; webhook_not_found; invalid_input: url, events; invalid_token */
export async function updateWebhook(
  deps: Deps,
  { caller, address, params, body }: WebhookChange & Pick<Input<'updateWebhook'>, 'body'>,
): Promise<Webhook> {
  const { url, events, isActive } = body
  if (url !== undefined) assertAllowedUrl(deps, url)
  if (events !== undefined) assertAllowedEvents(caller, events)
  return deps.db.transaction().execute(async (db) => {
    await lockSession(db, lockOf(caller))
    const row = await lockWebhook(db, caller, params.id)
    const isRedirected = url !== undefined && url !== row.url
    // One that ended with stolen credentials may be the thief's.
    const isRestored = isActive === true && row.off_reason === 'credentials'
    if (isRedirected || isRestored) requireRecentConfirmation(deps, caller)
    if (url !== undefined || events !== undefined)
      await db
        .updateTable('webhooks')
        .set({ url: url ?? row.url, events: events === undefined ? row.events : joinEvents(events) })
        .where('id', '=', row.id)
        .execute()
    if (isRedirected) await assertHostNotCrowded(db, { ...row, url })
    if (isActive === false) await switchOff({ db }, row.id, 'user')
    if (isActive === true) await switchOn({ ...deps, db }, row.id)
    const updated = await selectWebhooks(db, caller).where('id', '=', row.id).executeTakeFirstOrThrow()
    const entry = toEntry(updated)
    const details = { ...entry.details, isActive: updated.off_reason === null }
    await audit({ ...deps, db }, { actor: caller, address, action: 'webhook_updated', ...entry, details })
    if (isRedirected) await notifyUser({ ...deps, db }, row.user_id, webhookMail(mailSite(deps), 'redirected'))
    return toWebhook(updated)
  })
}

/** @throws {Failure} webhook_not_found */
export async function deleteWebhook(deps: Deps, { caller, address, params }: WebhookChange) {
  await deps.db.transaction().execute(async (db) => {
    const deleted = await db
      .deleteFrom('webhooks')
      .where('id', '=', params.id)
      .where('user_id', '=', caller.account.id)
      .returningAll()
      .executeTakeFirst()
    if (!deleted) throw new Failure('webhook_not_found')
    await audit({ ...deps, db }, { actor: caller, address, action: 'webhook_deleted', ...toEntry(deleted) })
  })
  return { success: true as const }
}

/** The old secret signs beside the new one for a day. @throws {Failure} password_required; webhook_not_found; invalid_token */
export async function rotateWebhookSecret(deps: Deps, { caller, address, params }: WebhookChange) {
  requireRecentConfirmation(deps, caller)
  const secret = newWebhookSecret(deps)
  await deps.db.transaction().execute(async (db) => {
    await lockSession(db, lockOf(caller))
    const row = await lockWebhook(db, caller, params.id)
    await db
      .updateTable('webhooks')
      .set({ secret, old_secret: row.secret, old_secret_until: deps.now() + limits.webhooks.oldSecretMs })
      .where('id', '=', row.id)
      .execute()
    await audit({ ...deps, db }, { actor: caller, address, action: 'webhook_secret_rotated', ...toEntry(row) })
    await notifyUser({ ...deps, db }, row.user_id, webhookMail(mailSite(deps), 'rotated'))
  })
  return { secret }
}

/** Writes first, so that SQLite waits for other processes here. @throws {Failure} webhook_not_found */
export async function lockWebhook(db: Kysely<Schema>, caller: UserCaller, id: string): Promise<WebhooksTable> {
  const row = await db
    .updateTable('webhooks')
    .set({ id })
    .where('id', '=', id)
    .where('user_id', '=', caller.account.id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new Failure('webhook_not_found')
  return row
}

const selectWebhooks = (db: Kysely<Schema>, caller: UserCaller) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .select((webhooks) =>
      webhooks
        .selectFrom('webhook_deliveries')
        .select((select) => select.fn.countAll<number>().as('count'))
        .whereRef('webhook_id', '=', 'webhooks.id')
        .where('status', '=', 'pending')
        .as('pending'),
    )
    .where('user_id', '=', caller.account.id)

/** @throws {Failure} invalid_input. Where a host name leads is checked when a delivery is sent */
function assertAllowedUrl({ config }: Pick<Deps, 'config'>, written: string): void {
  const isRefused = () => !config.WEBHOOK_PRIVATE_ADDRESSES && hasPrivateAddress(new URL(written))
  const problem = problemOfUrl(written) ?? (isRefused() ? 'must not have a private address on this server' : null)
  if (problem !== null) throw new Failure('invalid_input', { field: 'url', problem })
}

/** @param webhook as stored in this transaction. @throws {Failure} invalid_input */
async function assertHostNotCrowded(db: Kysely<Schema>, webhook: WebhooksTable): Promise<void> {
  const { maxPerHost } = limits.webhooks
  const hostOf = ({ url }: Pick<WebhooksTable, 'url'>) => new URL(url).hostname.replace(/\.$/, '')
  const stored = await db.selectFrom('webhooks').select('url').where('user_id', '=', webhook.user_id).execute()
  const atHost = stored.filter((one) => hostOf(one) === hostOf(webhook))
  if (atHost.length <= maxPerHost) return
  const problem = `has the host of ${maxPerHost} other webhooks. One webhook can receive several events`
  throw new Failure('invalid_input', { field: 'url', problem })
}

/** @throws {Failure} invalid_input */
function assertAllowedEvents({ account }: UserCaller, events: WebhookEvent[]): void {
  const forbidden = events.find((event) => webhookEvents[event].forAdmins && account.role !== 'admin')
  if (forbidden !== undefined)
    throw new Failure('invalid_input', { field: 'events', problem: `${forbidden} is for admins` })
}

/** In the order of the contract, each once. */
const joinEvents = (events: WebhookEvent[]) =>
  Object.keys(webhookEvents)
    .filter((event) => events.includes(event as WebhookEvent))
    .join(',')

function toWebhook(row: WebhooksTable & { pending: number | null }): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: eventsOf(row),
    createdAt: new Date(row.created_at).toISOString(),
    isActive: row.off_reason === null,
    offReason: row.off_reason,
    pending: row.pending ?? 0,
  }
}

const toEntry = (row: WebhooksTable): Pick<AuditEvent, 'target' | 'details'> => ({
  target: { id: row.id, label: hostLabel(row.url) },
  details: { owner: row.user_id, events: eventsOf(row) },
})
