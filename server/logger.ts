// JSON log lines without secrets.
import type { LoggerOptions } from 'pino'

/** Fields that must never be logged, whichever object contains them. */
const secretFields = [
  'authorization',
  'password',
  'token',
  'delete_token',
  'guestToken',
  'x-guest-token',
  'cookie',
  'pin',
]

export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  redact: {
    paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
    censor: '[redacted]',
  },
})
