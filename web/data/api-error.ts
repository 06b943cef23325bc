import { common } from '../texts/messages.ts'

/** An error whose message is a text for people. Other messages are for the console. */
export class ShownError extends Error {}

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

/** No connection, or no response in time. */
export class NoResponse extends ShownError {
  readonly isTimeout: boolean

  constructor(isTimeout: boolean, options: ErrorOptions) {
    super(common.noResponse, options)
    this.name = 'NoResponse'
    this.isTimeout = isTimeout
  }
}

/** The server's text; without a response a sentence that says so; else `fallback`. */
export const errorText = (error: unknown, fallback: string) =>
  error instanceof ShownError && error.message !== '' ? error.message : fallback

/** The server's text, or `fallback`: for screens that do not show network errors. */
export const serverText = (error: unknown, fallback: string) =>
  error instanceof ApiError && error.message !== '' ? error.message : fallback
