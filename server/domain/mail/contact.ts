import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { ContactMessage } from '../../../contract/endpoints/contact.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { countRows } from '../../db/count-rows.ts'
import type { Schema } from '../../db/schema.ts'
import { audit } from '../audit/audit.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { assertTimelyForm, throttleUntimedForm } from '../shared/form-timing.ts'
import { queueMail } from './mail-queue.ts'
import { contactMail } from './mail-texts.ts'
import { newId } from '../shared/secrets.ts'
import { systemCollection } from '../shared/system-collection.ts'
import { throttle, throttleAddress } from '../shared/throttle.ts'

/**
 * Stores a message of the contact form and, when a mail server is configured, queues its mail to
 * SUPPORT_EMAIL in the same transaction.
 * @throws {Failure} untimely_form, too_many_requests; busy: too many messages wait for their mail
 */
export async function sendContactMessage(deps: Deps, { address, body }: { address: string; body: ContactMessage }) {
  // A honeypot field that people do not see. A bot that fills it gets a success response.
  if (body.website) return
  assertTimelyForm(body.time, deps.now())
  await throttleAddress(deps, address, { key: 'contact', ...limits.contact.perAddress })
  await throttleUntimedForm(deps, { name: 'contact', time: body.time })
  await throttle(deps, { key: 'contact', ...limits.contact.perInstance })
  const { name, email, subject, message } = body
  const id = newId(deps)
  await deps.db.transaction().execute(async (db) => {
    await db
      .insertInto('contact_messages')
      .values({ id, name, email, subject, message, created_at: deps.now(), sent_at: null })
      .execute()
    if (deps.mail)
      await queueMail({ ...deps, db }, { contactMessageId: id, ...contactMail(deps.config.SITE_NAME, body) })
    await deleteBeyondLimit(db, id)
  })
}

/** @param newest the id of the message that stays in any case. @throws {Failure} busy */
async function deleteBeyondLimit(db: Kysely<Schema>, newest: string): Promise<void> {
  const beyond = (await countRows(db.selectFrom('contact_messages'))) - limits.contact.maxStored
  if (beyond <= 0) return
  const oldest = db
    .selectFrom('contact_messages')
    .select('id')
    .where('id', '!=', newest)
    .where('id', 'not in', queuedMessages(db))
    .orderBy('created_at')
    .orderBy('id')
    .limit(beyond)
  const { numDeletedRows } = await db.deleteFrom('contact_messages').where('id', 'in', oldest).executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new Failure('busy', {}, { retryAfterS: limits.contact.perInstance.windowMs / 1000 })
}

const queuedMessages = (db: Kysely<Schema>) =>
  db
    .selectFrom('outgoing_mail')
    .select('contact_message_id')
    .where('contact_message_id', 'is not', null)
    .$narrowType<{ contact_message_id: string }>()

export const contactMessagesCollection = systemCollection({
  table: 'contact_messages',
  show: (row) => ({
    name: row.name,
    email: row.email,
    subject: row.subject,
    message: row.message,
    sent_at: row.sent_at === null ? null : new Date(row.sent_at).toISOString(),
  }),
  // Messages are not editable.
  editable: z.strictObject({}),
  update: async () => {},
  async remove(deps, { caller, address, ids }) {
    return deps.db.transaction().execute(async (db) => {
      const deleted = await db.deleteFrom('contact_messages').where('id', 'in', ids).returning('id').execute()
      if (deleted.length > 0) {
        await audit(
          { ...deps, db },
          {
            actor: caller,
            address,
            action: 'documents_deleted',
            target: { id: 'contactmessages' },
            details: { ids: deleted.map(({ id }) => id) },
          },
        )
      }
      return deleted.length
    })
  },
})
