import { type FailureCode, failureText, type FailureParams, failures } from '../../contract/failures.ts'

type NoWords = Record<never, never>

/**
 * An error response of the API. Thrown where the condition is detected; http/errors.ts maps it to
 * HTTP.
 */
export class Failure<C extends FailureCode = FailureCode> extends Error {
  override name = 'Failure'
  readonly code: C
  readonly status: number
  readonly retryAfterS: number | undefined

  constructor(
    code: C,
    ...[words, options]: FailureParams<C> extends NoWords
      ? NoWords extends FailureParams<C>
        ? [words?: NoWords, options?: FailureOptions]
        : [words: FailureParams<C>, options?: FailureOptions]
      : [words: FailureParams<C>, options?: FailureOptions]
  ) {
    super(failureText(code, (words ?? {}) as FailureParams<C>), { cause: options?.cause })
    this.code = code
    this.status = failures[code].status
    this.retryAfterS = options?.retryAfterS
  }
}

export interface FailureOptions {
  /** For the log only. */
  cause?: unknown
  retryAfterS?: number
}
