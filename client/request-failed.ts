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

/** A response whose status is not 2xx. */
interface Refusal {
  status: number
  statusText: string
  header: (name: string) => string | null | undefined
  body: string
}

export function refusalOf({ status, statusText, header, body }: Refusal): RequestFailed {
  const { error, code } = parseObject(body)
  const target = header('location')
  const defaultMessage =
    status >= 300 && status < 400 && typeof target === 'string'
      ? `The server redirects to ${target}: use that address`
      : `The server responded with ${status} ${statusText}`.trim()
  const message = typeof error === 'string' ? error : defaultMessage
  return new RequestFailed(message, {
    status,
    code: typeof code === 'string' ? code : '',
    retryAfterMs: readRetryAfter(header('retry-after')),
  })
}

export function noResponse(url: string, why: string, cause?: unknown): RequestFailed {
  return new RequestFailed(`${new URL(url).host} cannot be reached: ${why}`, {}, { cause })
}

/** The innermost message: Node's fetch fails with 'fetch failed' and the reason as its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Retry-After in seconds, as this server and proxies send it (RFC 9110 section 10.2.3). */
function readRetryAfter(value: string | null | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) * 1000 : undefined
}
