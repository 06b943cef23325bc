// Accounts: the entity and its endpoints (docs/api.md).
import { z } from 'zod'
import { accountLimits } from '../plain/account-limits.ts'
import { endpoint } from './endpoint.ts'
import { limits } from '../plain/limits.ts'
import { visibilities } from '../plain/visibility.ts'
import {
  example,
  cleanedName,
  confirmation,
  currentPassword,
  done,
  omitted,
  pageCursor,
  pageLimit,
  proofHeader,
  requestedId,
  sampleIds,
  timestamp,
  wholeNumber,
} from './schema-parts.ts'

const bounds = limits.account
export const email = z.email().max(bounds.maxEmailLength).describe('Case-insensitive')
export const isEmail = (text: string): boolean => email.safeParse(text).success
const personName = cleanedName(bounds.maxNameLength)
const name = personName.min(1, 'must have a visible character').meta(example('Ada Lovelace'))
const firstName = personName.meta(example('Ada'))
const lastName = personName.meta(example('Lovelace'))
export const accountRole = z.enum(['user', 'admin'])
const quotaBytes = z.number().int().min(0).max(limits.quota.maxBytes).nullable()
const quotaImages = z.number().int().min(0).max(limits.quota.maxImages).nullable()
const ownQuota = {
  quotaBytes: quotaBytes.meta(example(null, "Storage quota in bytes; 0: no limit; null: the server's default")),
  quotaImages: quotaImages.meta(example(null, "Most images; 0: no limit; null: the server's default")),
}
const status = z
  .enum(['Active', 'Inactive'])
  .describe('Inactive users cannot log in or use API keys, and their images are not served')
export const newPassword = z
  .string()
  .min(bounds.minPasswordLength, `Password must be at least ${bounds.minPasswordLength} characters long`)
  .max(bounds.maxPasswordLength)
  .meta(example('correct-horse-1', '6 to 200 characters'))
const keepApiKeys = z.boolean().optional().describe('true: API keys and webhooks continue to work').meta(omitted)
const userId = requestedId(sampleIds.user)
/** The names that a request may contain. */
const names = { name: name.optional(), firstName: firstName.optional(), lastName: lastName.optional() }

export const user = z
  .strictObject({
    id: z.string().meta(example(sampleIds.user)),
    email: z.string().meta(example('ada@example.com')),
    emailConfirmed: z
      .boolean()
      .meta(example(true, 'Whether a link mailed there was opened. Until then it gets no other mail')),
    name: z.string().meta(example('Ada Lovelace')),
    firstName: z.string().meta(example('Ada')),
    lastName: z.string().meta(example('Lovelace')),
    role: accountRole,
    status,
    mailDigest: z
      .boolean()
      .meta(example(true, 'Whether to mail about images that expire soon and webhooks that are off')),
    showName: z.boolean().meta(example(false, "Whether the share pages of the user's images show their name")),
    uploadVisibility: z.enum(visibilities).meta(example('public', 'The visibility of uploads that do not say')),
    imageCount: wholeNumber(3),
    imageBytes: wholeNumber(1_446_120),
    quota: z
      .strictObject({ bytes: wholeNumber(limits.user.quotaBytes), images: wholeNumber(limits.user.quotaImages) })
      .describe('The limits of imageBytes and imageCount; 0: no limit'),
    ...ownQuota,
    created_at: timestamp,
    deletion_at: timestamp.nullable().meta(example(null, 'When the account will be deleted, as its user wants')),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof user>

const token = z.string().meta(example('eyJhbGciOiJIUzI1NiJ9...'))
/** Of the caller's session. */
const needsSecondFactor = z
  .boolean()
  .meta(example(false, 'Whether to set up a second factor, or log in again with it, as the server requires'))
export const session = z
  .strictObject({
    success: z.literal(true),
    user,
    needsSecondFactor,
    token: token.describe('JWT. Send it in the header Authorization: Bearer <token>'),
  })
  .meta({ id: 'Session' })

/** Of requests that log in. */
export const browser = z
  .string()
  .min(accountLimits.browsers.minIdLength)
  .max(accountLimits.browsers.maxIdLength)
  .optional()
  .describe('A random text that the browser stores. A login with another one is announced by mail')
  .meta(omitted)

const awaitsConfirmation = z
  .strictObject({
    success: z.literal(true),
    confirmation: z.literal('mailed').describe('Opening the link in the mail creates the account'),
  })
  .meta({ id: 'AwaitsConfirmation' })

const byUser = { category: 'auth', access: 'user' } as const
const byAdmin = { category: 'auth', access: 'admin' } as const

export const accounts = {
  register: endpoint({
    summary: 'Create an account',
    description:
      'Returns a session token. A server that sends mail instead mails a link that creates the account, and its response does not tell whether the address has one.',
    category: 'auth',
    access: 'public',
    proofOfWork: true,
    headers: z.object(proofHeader),
    refusesBlockedNetworks: true,
    body: z.strictObject({
      email,
      password: newPassword,
      name: name.optional().describe('Default: the email up to the @'),
      invite: z
        .string()
        .max(accountLimits.mailLinks.maxTokenLength)
        .optional()
        .describe('What follows # in the invitation link')
        .meta(omitted),
      album_invite: z
        .string()
        .max(accountLimits.mailLinks.maxTokenLength)
        .optional()
        .describe('What follows # in an invitation to an album: the mailed link leads on to it')
        .meta(omitted),
    }),
    status: 201,
    response: z.union([session, awaitsConfirmation]),
    failures: [
      'password_login_off',
      'registration_closed',
      'invite_required',
      'invite_ended',
      'registration_failed',
      'weak_password',
      'busy',
    ],
  }),
  login: endpoint({
    summary: 'Log in with email and password',
    description:
      'If a second factor is needed, the failure second_factor_required has a `challenge` for POST /api/login/code or /api/login/passkey, and `factors`: totp, passkey or both.',
    category: 'auth',
    access: 'public',
    refusesBlockedNetworks: true,
    body: z.strictObject({
      email: z.string().max(bounds.maxEmailLength).meta(example('ada@example.com')),
      password: z.string().max(bounds.maxPasswordLength).meta(example('correct-horse-1')),
      browser,
    }),
    response: session,
    failures: [
      'wrong_credentials',
      'password_login_off',
      'second_factor_required',
      'password_expired',
      'inactive_account',
      'busy',
    ],
  }),
  logout: endpoint({
    ...byUser,
    summary: 'Log out: end the session of this token',
    worksWithoutFactor: true,
    response: done,
    failures: ['api_key_not_enough'],
  }),
  logoutEverywhere: endpoint({
    ...byUser,
    summary: 'Log out everywhere: end all sessions and API keys, and switch webhooks off',
    worksWithoutFactor: true,
    body: z.strictObject({ keepApiKeys }),
    response: done,
    failures: ['api_key_not_enough'],
  }),
  getMe: endpoint({
    ...byUser,
    summary: 'Get the signed-in user',
    worksWithoutFactor: true,
    response: z.strictObject({ user, needsSecondFactor }),
    failures: ['api_key_not_enough'],
  }),
  updateMe: endpoint({
    ...byUser,
    summary: 'Update your own account',
    description: 'A new password ends sessions and API keys, switches webhooks off, and returns a new token.',
    worksWithoutFactor: true,
    body: z.strictObject({
      ...names,
      mailDigest: z.boolean().optional(),
      showName: z.boolean().optional(),
      uploadVisibility: z.enum(visibilities).optional().meta(omitted),
      currentPassword: currentPassword.meta(example('correct-horse-1', 'Required with newPassword')),
      newPassword: newPassword.optional().meta(example('battery-staple-2')),
      keepApiKeys,
    }),
    response: z.strictObject({ user, token: token.optional() }),
    failures: ['wrong_password', 'password_required', 'weak_password', 'api_key_not_enough', 'busy'],
  }),

  listUsers: endpoint({
    ...byAdmin,
    summary: 'List users, newest first',
    description:
      'Paginated: the Link header (rel="next") has the URL of the next page, X-Total-Count the total number.',
    query: z.strictObject({
      limit: pageLimit('Users'),
      cursor: pageCursor,
      q: z.string().max(limits.list.maxSearchLength).optional().meta(example('ada', 'Part of the email or name')),
      role: accountRole.optional(),
      status: status.optional(),
    }),
    response: z.array(user),
  }),
  createUser: endpoint({
    ...byAdmin,
    summary: 'Create a user',
    body: z.strictObject({
      email,
      password: newPassword,
      ...names,
      name: name.optional().describe('Default: first and last name, or the email up to the @'),
      role: accountRole.optional().describe('Default user'),
      status: status.optional(),
      ...confirmation(' for an admin'),
    }),
    status: 201,
    response: done.extend({ user }),
    failures: ['registration_failed', 'weak_password', 'wrong_password', 'password_required', 'busy'],
  }),
  getUserStats: endpoint({
    ...byAdmin,
    summary: 'Get user statistics',
    response: z.strictObject({
      totalUsers: wholeNumber(128),
      activeUsers: wholeNumber(120),
      inactiveUsers: wholeNumber(8),
      admins: wholeNumber(2),
      newUsersLast30Days: wholeNumber(14),
    }),
  }),
  updateUser: endpoint({
    ...byAdmin,
    summary: 'Update a user',
    description:
      'A new role, status or password ends all sessions of that user; a new password also ends their API keys and switches their webhooks off.',
    params: z.strictObject({ userId }),
    body: z.strictObject({
      email: email.optional(),
      password: newPassword.optional(),
      currentPassword: currentPassword.meta(
        example(
          'correct-horse-1',
          'Yours. Required with a new email or password, and without a recent login to make or change an admin',
        ),
      ),
      ...names,
      role: accountRole.optional(),
      status: status.optional(),
      quotaBytes: ownQuota.quotaBytes.meta(example(5_368_709_120)).optional(),
      quotaImages: ownQuota.quotaImages.meta(example(50_000)).optional(),
      keepApiKeys,
    }),
    response: done.extend({ user }),
    failures: [
      'wrong_password',
      'password_required',
      'user_not_found',
      'registration_failed',
      'weak_password',
      'last_admin',
      'own_account',
      'busy',
    ],
  }),
  deleteUser: endpoint({
    ...byAdmin,
    summary: 'Delete a user with their images, API keys and sessions',
    description: 'Deleting an admin requires a recent login.',
    params: z.strictObject({ userId }),
    response: done,
    failures: ['user_not_found', 'password_required', 'last_admin', 'own_account'],
  }),
  promoteUser: endpoint({
    ...byAdmin,
    summary: 'Promote a user to admin',
    body: z.strictObject({ userId, ...confirmation() }),
    response: done.extend({
      message: z.string().meta(example('ada@example.com is an admin now')),
    }),
    failures: ['user_not_found', 'wrong_password', 'password_required', 'busy'],
  }),
}
