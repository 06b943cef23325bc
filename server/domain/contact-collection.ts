import { z } from 'zod'
import { systemCollection } from './system-collection.ts'

export const contactMessagesCollection = systemCollection({
  table: 'contact_messages',
  show: (row) => ({
    name: row.name,
    email: row.email,
    subject: row.subject,
    message: row.message,
    sent_at: row.sent_at === null ? null : new Date(row.sent_at).toISOString(),
  }),
  // What somebody wrote stays what they wrote.
  editable: z.strictObject({}),
  update: async () => {},
  async remove(deps, { ids }) {
    const { numDeletedRows } = await deps.db.deleteFrom('contact_messages').where('id', 'in', ids).executeTakeFirst()
    return Number(numDeletedRows)
  },
})
