/** A refusal by the server. `message` is its own `error` text, empty where it gave none. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, body: unknown) {
    const { error, code } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
    super(typeof error === 'string' ? error : '')
    this.name = 'ApiError'
    this.status = status
    this.code = typeof code === 'string' ? code : ''
  }

  /** The token that was sent is not, or no longer, good. */
  get endsSession(): boolean {
    return this.code === 'invalid_token' || this.code === 'authentication_required'
  }
}

/** The server's text first; a network exception's own text as given; else `fallback`. */
export const errorText = (error: unknown, fallback: string) =>
  error instanceof Error && error.message !== '' ? error.message : fallback

/** The server's text, or `fallback`: for screens that do not show what the network says. */
export const serverText = (error: unknown, fallback: string) =>
  error instanceof ApiError && error.message !== '' ? error.message : fallback
