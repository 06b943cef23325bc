import { errorText, ShownError } from '../format/error-text.ts'
import { common, failures } from '../texts/messages.ts'

/** A refusal by the server. `message` is the server's `error` text, empty when there is none. */
export class ApiError extends ShownError {
  readonly status: number
  readonly code: string
  /** The response's fields beside `error` and `code`. */
  readonly details: Record<string, unknown>
  /** Of a refusal that demands a proof of work (proof-of-work.ts), else null. */
  readonly challenge: string | null

  constructor(status: number, body: unknown, challenge: string | null = null) {
    const { error, code, ...details } = (typeof body === 'object' && body !== null ? body : {}) as Record<
      string,
      unknown
    >
    super(typeof error === 'string' ? error : '')
    this.name = 'ApiError'
    this.status = status
    this.code = typeof code === 'string' ? code : ''
    this.details = details
    this.challenge = challenge
  }

  /** The token that was sent is invalid or has expired. */
  get endsSession(): boolean {
    return this.code === 'invalid_token' || this.code === 'authentication_required'
  }
}

/** How long an attempt waits for a response. A server that is silent for this long is not asked again. */
export const timeoutMs = 10_000

/** No connection, or no response in time. */
export class NoResponse extends ShownError {
  readonly isTimeout: boolean

  constructor(isTimeout: boolean, options: ErrorOptions) {
    super(isTimeout ? failures.timeout(timeoutMs / 1000) : common.noResponse, options)
    this.name = 'NoResponse'
    this.isTimeout = isTimeout
  }
}

/** What ui/load-failure.tsx shows about an error. */
export interface Trouble {
  kind: 'offline' | 'busy' | 'failed'
  /** Why, as a sentence. */
  reason: string
  /** False: the server would refuse again. */
  canRetry: boolean
}

export function troubleOf(error: unknown): Trouble {
  if (error instanceof NoResponse && !navigator.onLine)
    return { kind: 'offline', reason: failures.offline, canRetry: true }
  if (!(error instanceof ApiError)) return { kind: 'failed', reason: errorText(error, failures.failed), canRetry: true }
  const { status, code, message } = error
  const isBusy = status === 429 || status === 503
  const isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 429
  return {
    kind: isBusy ? 'busy' : 'failed',
    reason: message || waitReasonOf(status),
    // Another attempt asks for the confirmation again.
    canRetry: !isRefusal || code === 'password_required',
  }
}

/** Why a response with this status makes the page wait. */
export const waitReasonOf = (status: number) =>
  status === 429 ? failures.limited : status === 503 ? failures.busy : failures.failed

/** Where the bar that counts the seconds is covered. */
export const waitTextOf = (status: number) => `${waitReasonOf(status)} ${failures.trying}`

/** The server's text, or `fallback`: for screens that do not show network errors. */
export const serverText = (error: unknown, fallback: string) =>
  error instanceof ApiError && error.message !== '' ? error.message : fallback
