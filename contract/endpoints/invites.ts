// Invitations: links with which people register where not everyone may. For admins.
import { z } from 'zod'
import { accountLimits } from '../plain/account-limits.ts'
import { accountRole } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { example, cleanedName, confirmation, done, requestedId, timestamp, wholeNumber } from './schema-parts.ts'

const { maxUses, maxDays, defaultDays, maxNoteLength } = accountLimits.invites
const sampleId = 'c2Lr7WnXyTqE4oHdMb9UkA'
const note = cleanedName(maxNoteLength).meta(example('The Lovelace family', 'For admins'))

export const invite = z
  .strictObject({
    id: z.string().meta(example(sampleId)),
    note,
    role: accountRole.describe('Of the accounts that it creates'),
    uses: wholeNumber(1).describe('Accounts that it has created'),
    maxUses: wholeNumber(5),
    expiresAt: timestamp,
    createdAt: timestamp,
    createdBy: z.string().nullable().meta(example('grace@example.com', 'Email of the admin; null: deleted')),
  })
  .meta({ id: 'Invite' })
export type Invite = z.infer<typeof invite>

const common = { category: 'auth', access: 'admin' } as const

export const invites = {
  createInvite: endpoint({
    ...common,
    summary: 'Create an invitation',
    description: 'Only this response has the link, which lets anyone register, as often as it allows.',
    body: z.strictObject({
      note: note.optional(),
      role: accountRole.optional().describe('Default user'),
      maxUses: z.number().int().min(1).max(maxUses).optional().meta(example(5, 'Default 1')),
      days: z
        .number()
        .int()
        .min(1)
        .max(maxDays)
        .optional()
        .meta(example(30, `How long it is valid. Default ${defaultDays}`)),
      ...confirmation(' for the role admin'),
    }),
    status: 201,
    response: invite.extend({
      link: z.string().meta(example('https://img.example.com/register#Jq8…')),
    }),
    failures: ['too_many_invites', 'wrong_password', 'password_required', 'busy'],
  }),
  listInvites: endpoint({
    ...common,
    summary: 'List the invitations that are valid or used up, newest first',
    response: z.array(invite),
  }),
  deleteInvite: endpoint({
    ...common,
    summary: 'Withdraw an invitation',
    description: 'The accounts that it has created stay.',
    params: z.strictObject({ id: requestedId(sampleId) }),
    response: done,
    failures: ['invite_not_found'],
  }),
}
