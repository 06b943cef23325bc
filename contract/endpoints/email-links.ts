// Links in mails: they confirm an address, or replace a lost password.
import { z } from 'zod'
import { accountLimits } from '../plain/account-limits.ts'
import { email, newPassword } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { limits } from '../plain/limits.ts'
import { example, confirmation, done } from './schema-parts.ts'

const token = z
  .string()
  .min(1)
  .max(accountLimits.mailLinks.maxTokenLength)
  .meta(example('Jq8zT3mVwE5nYc1LhXo7RbKd2GsUf9AiPe4NtMy6WkQ', 'What follows # in the mailed link'))

const common = { category: 'auth', access: 'public' } as const

export const emailLinks = {
  requestEmailConfirmation: endpoint({
    ...common,
    access: 'user',
    summary: 'Confirm or change your email address',
    description: 'Mails a link to the address. Opening it confirms the address and makes it that of the account.',
    body: z.strictObject({
      email: email
        .optional()
        .meta(example('ada.lovelace@example.com', 'Case-insensitive. Default: the address of the account')),
      ...confirmation(' for another address'),
    }),
    response: done,
    failures: ['mail_off', 'wrong_password', 'password_required', 'api_key_not_enough', 'busy'],
  }),
  confirmEmail: endpoint({
    ...common,
    summary: 'Confirm an address with a mailed link',
    description: 'Creates the account of a registration.',
    refusesBlockedNetworks: true,
    body: z.strictObject({
      token,
      password: z.string().max(limits.account.maxPasswordLength).meta(example('correct-horse-1', 'Of the account')),
    }),
    response: done.extend({ email: z.string().meta(example('ada@example.com')) }),
    failures: ['mail_link_ended', 'wrong_password', 'inactive_account', 'invite_ended', 'busy'],
  }),
  requestPasswordReset: endpoint({
    ...common,
    summary: 'Request a link that sets a new password',
    description: 'The response is the same for an address without an account.',
    refusesBlockedNetworks: true,
    body: z.strictObject({ email }),
    response: done,
    failures: ['mail_off'],
  }),
  completePasswordReset: endpoint({
    ...common,
    summary: 'Set a new password with the link of a mail',
    description: 'Ends all sessions and API keys. Then log in with it.',
    refusesBlockedNetworks: true,
    body: z.strictObject({ token, newPassword: newPassword.meta(example('battery-staple-2')) }),
    response: done.extend({ email: z.string().meta(example('ada@example.com')) }),
    failures: ['mail_link_ended', 'weak_password', 'busy'],
  }),
}
