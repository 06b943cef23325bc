/** A request that the server refused, or that got no response. `message` is a text for people. */
export class RequestFailed extends Error {
  override name = 'RequestFailed'
  /** Of the HTTP response; 0 without one. */
  readonly status: number
  /** The server's identifier of the failure, such as `file_too_large`; empty without a JSON response. */
  readonly code: string
  /** From Retry-After; undefined without that header. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    { status = 0, code = '', retryAfterMs }: { status?: number; code?: string; retryAfterMs?: number | undefined } = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** Describes a response whose status is not 2xx. */
export async function refusalOf(response: Response): Promise<RequestFailed> {
  const { status, statusText, headers } = response
  const body: unknown = await response.json().catch(() => undefined)
  const { error, code } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const target = headers.get('location')
  const defaultMessage =
    target === null
      ? `The server responded with ${status} ${statusText}`.trim()
      : `The server redirects to ${target}: use that address`
  const message = typeof error === 'string' ? error : defaultMessage
  return new RequestFailed(message, {
    status,
    code: typeof code === 'string' ? code : '',
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
  })
}

/** Retry-After in seconds, as this server and proxies send it (RFC 9110 section 10.2.3). */
function readRetryAfter(value: string | null): number | undefined {
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) * 1000 : undefined
}
