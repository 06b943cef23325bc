// The one reader of the environment. A bare start works; a wrong value stops the start with a sentence that names the variable.
import { resolve } from 'node:path'
import { z } from 'zod'
import { limits } from '../contract/limits.ts'

const GiB = 1024 ** 3

const url = z.url().transform((value) => value.replace(/\/+$/, ''))
const onOff = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on')
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be from ${min} to ${max}`).max(max, `must be from ${min} to ${max}`))

/** Every setting with its default. docs/operate.md says the same to people; a test holds the two together. */
export const settings = {
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((path) => resolve(path)),
  PUBLIC_URL: url.optional(),
  TRUST_PROXY: z
    .string()
    .default('off')
    .transform((value, context) => {
      if (value === 'off') return false
      if (/^\d{1,2}$/.test(value)) return Number(value)
      if (/^[\da-fA-F.:/, ]+$/.test(value)) return value
      context.addIssue('must be off, a number of proxies, or a list of addresses and CIDR ranges')
      return z.NEVER
    }),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'must look like postgres://user:password@host:5432/database')
    .optional(),
  JWT_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_PASSWORD: z.string().min(limits.account.minPasswordLength).max(limits.account.maxPasswordLength).optional(),
  DB_VIEW_PIN: z
    .string()
    .regex(/^\d{4}$/, 'must be 4 digits')
    .optional(),
  PASSWORD_MIN: wholeNumber(limits.account.minPasswordLength, 64).default(limits.account.minPasswordLength),
  SITE_NAME: z.string().trim().min(1).max(60).default('Image Host'),
  SUPPORT_EMAIL: z.email().optional(),
  DEVELOPER_URL: url.optional(),
  GUEST_UPLOADS: onOff.default(true),
  CACHE_MAX_BYTES: wholeNumber(0, 1024 * GiB).default(10 * GiB),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((origin) => origin.trim())
        .filter(Boolean),
    )
    .pipe(z.array(z.url('must be origins separated by commas'))),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
}

const schema = z.object(settings).superRefine((given, context) => {
  const refuse = (name: keyof typeof settings, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message })
  if ((given.ADMIN_EMAIL === undefined) !== (given.ADMIN_PASSWORD === undefined)) {
    const missing = given.ADMIN_EMAIL === undefined ? 'ADMIN_EMAIL' : 'ADMIN_PASSWORD'
    refuse(missing, 'is needed: ADMIN_EMAIL and ADMIN_PASSWORD go together')
  }
  if (given.DATABASE_URL !== undefined && given.JWT_SECRET === undefined) {
    refuse('JWT_SECRET', 'is needed with DATABASE_URL: every server on one database must sign with the same secret')
  }
})

export type Config = z.infer<typeof schema>

export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** @throws {ConfigError} with one line for each wrong variable. An empty variable counts as not set. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.keys(settings)
      .map((name) => [name, environment[name]?.trim()] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
}
