import { type FailureCode, failureText, type FailureParams, failures } from '../../../contract/plain/failures.ts'

type NoParams = Record<never, never>

/** An error response of the API. http/request/errors.ts maps it to HTTP. */
export class Failure<C extends FailureCode = FailureCode> extends Error {
  override name = 'Failure'
  readonly code: C
  readonly status: number
  readonly retryAfterS: number | undefined
  readonly details: Record<string, unknown>

  constructor(
    code: C,
    ...[params, options]: FailureParams<C> extends NoParams
      ? NoParams extends FailureParams<C>
        ? [params?: NoParams, options?: FailureOptions]
        : [params: FailureParams<C>, options?: FailureOptions]
      : [params: FailureParams<C>, options?: FailureOptions]
  ) {
    super(failureText(code, (params ?? {}) as FailureParams<C>), { cause: options?.cause })
    this.code = code
    this.status = failures[code].status
    this.retryAfterS = options?.retryAfterS
    this.details = options?.details ?? {}
  }
}

export interface FailureOptions {
  /** For the log only. */
  cause?: unknown
  retryAfterS?: number
  /** Further fields of the response. */
  details?: Record<string, unknown>
}

/** For the log. With its causes: that the database is unavailable says less than why. */
export function reasonOf({ message, cause }: Error): string {
  const why = cause instanceof Error ? reasonOf(cause) : ''
  return why === '' || message.includes(why) ? message : `${message}: ${why}`
}
