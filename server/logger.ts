// One JSON line an event, without secrets.
import type { LoggerOptions } from 'pino'

/** Fields that must never reach a log, wherever an object that holds them is logged. */
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
