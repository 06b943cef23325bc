// JSON log lines without secrets.
import { type LoggerOptions, stdSerializers } from 'pino'

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

/** Fastify quotes URLs in its errors, and some clients send their API key in one. */
const withoutKeys = (text: string) => text.replace(/\bik_\w+/g, 'ik_[redacted]')

export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  serializers: {
    err(error: Error) {
      const { message, stack, ...rest } = stdSerializers.err(error)
      return { ...rest, message: withoutKeys(message), stack: withoutKeys(stack) }
    },
  },
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  redact: {
    paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
    censor: '[redacted]',
  },
})
