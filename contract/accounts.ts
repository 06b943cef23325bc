// Accounts: the entity and its endpoints (specification sections 3, 5 and 7).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

const bounds = limits.account
const email = z.email().max(bounds.maxEmailLength).describe('Compared without case')
const timestamp = z.iso.datetime().describe('ISO 8601, UTC')

export const user = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: z.enum(['user', 'admin']),
    status: z.enum(['Active', 'Inactive']),
    created_at: timestamp,
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof user>

const session = z
  .strictObject({ success: z.literal(true), user, token: z.string().describe('JWT: send it as Authorization: Bearer') })
  .meta({ id: 'Session' })

export const accounts = {
  register: endpoint({
    summary: 'Create an account',
    description: 'The reply carries a token for API clients; the page asks its user to log in.',
    category: 'auth',
    access: 'public',
    body: z.strictObject({
      email,
      password: z
        .string()
        .min(bounds.minPasswordLength, `Password must be at least ${bounds.minPasswordLength} characters long`)
        .max(bounds.maxPasswordLength)
        .describe('6 to 200 characters'),
      name: z
        .string()
        .trim()
        .min(1)
        .max(bounds.maxNameLength)
        .optional()
        .describe('Default: the part of the email before the @'),
    }),
    status: 201,
    reply: session,
    failures: ['registration_failed', 'busy'],
  }),
  login: endpoint({
    summary: 'Log in with email and password',
    category: 'auth',
    access: 'public',
    body: z.strictObject({
      email: z.string().max(bounds.maxEmailLength),
      password: z.string().max(bounds.maxPasswordLength),
    }),
    status: 200,
    reply: session,
    failures: ['wrong_credentials', 'inactive_account', 'busy'],
  }),
  logout: endpoint({
    summary: 'End the session of this token',
    category: 'auth',
    access: 'user',
    status: 200,
    reply: z.strictObject({ success: z.literal(true) }),
    failures: [],
  }),
  getMe: endpoint({
    summary: 'The signed-in user',
    category: 'auth',
    access: 'user',
    status: 200,
    reply: z.strictObject({ user }),
    failures: [],
  }),
}
