// JSON log lines without secrets.
import { destination, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'

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

/** Redacts API keys, also cut ones. A random id, which may contain `ik_`, has at most 19 characters after it. */
export const redactApiKeys = (text: string): string => text.replace(/ik_[\da-z]{20,}/gi, '***')

/** Lines are written together: a call of the system for each takes longer than the line itself. */
const batch = { characters: 64 * 1024, ms: 50 }
/** Of lines that cannot be written. */
const maxWaitingBytes = 1024 * 1024

/** The log of the server, on standard output. Only a killed process loses the lines of the last 50 ms. */
export function openLog(level: string): Logger {
  const output = destination({ dest: 1, sync: true, maxLength: maxWaitingBytes })
  // The disk of the log file is full, or the reader of the pipe has ended. There is no other place to say so: the server goes
  // on, and writes the lines that wait as soon as it can.
  output.on('error', () => {})
  // One string: the batches of `destination` measure all of theirs again at each line.
  let lines = ''
  const flush = () => {
    if (lines !== '') output.write(lines)
    lines = ''
  }
  process.on('exit', flush)
  return pino(loggerOptions(level), {
    write(line) {
      if (lines === '') setTimeout(flush, batch.ms).unref()
      lines += line
      if (lines.length >= batch.characters) flush()
    },
  })
}

let formattedMs = 0
let formatted = ''

/** The time of a log line. Formatted once a millisecond, because that takes longer than the rest of a line. */
export function logTime(): string {
  const now = Date.now()
  if (now !== formattedMs) [formattedMs, formatted] = [now, new Date(now).toISOString()]
  return formatted
}

export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  serializers: {
    err(error: Error) {
      const { message, stack, ...rest } = stdSerializers.err(error)
      // Fastify quotes URLs in its errors, and some clients send their API key in one.
      return { ...rest, message: redactApiKeys(message), stack: redactApiKeys(stack) }
    },
  },
  base: null,
  timestamp: () => `,"time":"${logTime()}"`,
  redact: {
    paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
    censor: '[redacted]',
  },
})
