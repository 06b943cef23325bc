// The end of the own account, and a copy of all that is stored about it (docs/decisions/0052).
import { z } from 'zod'
import { user } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { limits } from '../plain/limits.ts'
import { example, confirmation, done, omitted, timestamp } from './schema-parts.ts'

const graceDays = limits.account.deletionGraceMs / 86_400_000
const common = { category: 'auth', access: 'user' } as const

export const ownAccount = {
  deleteMe: endpoint({
    ...common,
    summary: 'Delete your own account, with all images, API keys and sessions',
    description: `It works for ${graceDays} more days, in which POST /api/me/restore cancels the deletion. Requires the password, or a login or confirmation of the last 10 minutes.`,
    body: z.strictObject({
      immediately: z.boolean().optional().describe('true: now. This cannot be undone').meta(omitted),
      ...confirmation(),
    }),
    response: done.extend({ deletion_at: timestamp }),
    failures: ['wrong_password', 'password_required', 'last_admin', 'api_key_not_enough', 'busy'],
  }),
  restoreMe: endpoint({
    ...common,
    summary: 'Cancel the deletion of your own account',
    response: z.strictObject({ user }),
    failures: ['api_key_not_enough'],
  }),
  downloadOwnData: endpoint({
    ...common,
    summary: 'Download all your data',
    description:
      'A tar file with every stored image and, last, data.json with everything else: without it the archive is incomplete.',
    response: 'file',
    saveAs: 'my-data.tar',
    failures: ['api_key_not_enough'],
  }),
  createOwnDataLink: endpoint({
    ...common,
    summary: 'Create a download link for all your data',
    description:
      'For browsers, which cannot send an Authorization header with a download. It works once, within one minute and while your session lasts.',
    status: 201,
    response: z.strictObject({
      url: z
        .string()
        .meta(example('/api/me/data/archive', 'Path on this server, to which the browser sends the ticket as a form')),
      ticket: z.string().meta(example('eyJhbGciOiJIUzI1NiJ9...')),
      expires_at: timestamp,
    }),
    failures: ['api_key_not_enough'],
  }),
  downloadOwnDataByLink: endpoint({
    category: 'auth',
    access: 'public',
    summary: 'Download all your data by its link',
    description: 'Like GET /api/me/data, with the ticket of a link.',
    form: 'any origin',
    body: z.strictObject({
      ticket: z.string().min(1).max(2000).describe('From POST /api/me/data/link'),
    }),
    response: 'file',
    saveAs: 'my-data.tar',
    failures: ['download_link_ended', 'unsupported_body', 'malformed_upload', 'too_many_files', 'body_too_large'],
  }),
}
