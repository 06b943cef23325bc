// A user's own sessions (docs/decisions/0051).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { passkeyLogin } from './factors.ts'
import {
  example,
  currentPassword,
  done,
  omitted,
  requestedId,
  sampleIds,
  timestamp,
  wholeNumber,
} from './schema-parts.ts'

const ownSession = z
  .strictObject({
    id: z.string().meta(example(sampleIds.session)),
    device: z.string().nullable().meta(example('Firefox on Windows', 'Browser and system, or program')),
    network: z.string().nullable().meta(example('203.0.113.0/24', 'The network of the last use')),
    created_at: timestamp,
    last_used_at: timestamp,
    current: z.boolean().meta(example(true, 'Whether it is the session of this request')),
  })
  .meta({ id: 'OwnSession' })
export type OwnSession = z.infer<typeof ownSession>

const byUser = { category: 'auth', access: 'user' } as const

export const sessions = {
  confirmIdentity: endpoint({
    ...byUser,
    summary: 'Confirm that it is you',
    description: 'For the next 10 minutes this session counts as a recent login (403 password_required).',
    worksWithoutFactor: true,
    body: z.strictObject({
      currentPassword: currentPassword.meta(example('correct-horse-1', 'One of the three is required')),
      code: z.string().max(40).optional().describe('Of the authenticator app').meta(omitted),
      passkey: z
        .strictObject(passkeyLogin)
        .optional()
        .describe('The response to POST /api/login/passkey/options')
        .meta(omitted),
    }),
    response: done.extend({ confirmed_until: timestamp }),
    failures: [
      'password_required',
      'wrong_password',
      'wrong_code',
      'challenge_ended',
      'passkey_refused',
      'api_key_not_enough',
      'busy',
    ],
  }),

  listSessions: endpoint({
    ...byUser,
    summary: 'List your sessions, the last used first',
    description: 'A session is a login that has not ended.',
    worksWithoutFactor: true,
    response: z.strictObject({ sessions: z.array(ownSession) }),
    failures: ['api_key_not_enough'],
  }),
  deleteSession: endpoint({
    ...byUser,
    summary: 'End one of your sessions',
    worksWithoutFactor: true,
    params: z.strictObject({ id: requestedId(sampleIds.session) }),
    response: done,
    failures: ['session_not_found', 'api_key_not_enough'],
  }),
  deleteOtherSessions: endpoint({
    ...byUser,
    summary: 'End all your sessions except this one',
    worksWithoutFactor: true,
    response: done.extend({ ended: wholeNumber(2).describe('Number of sessions that ended') }),
    failures: ['api_key_not_enough'],
  }),
}
