// Sends one request for trying the API: no retries, timeout or cache; a refusal is a response too.

/** Responses are read up to this size. */
export const maxReadBytes = 64 * 1024 * 1024

interface Request {
  method: string
  /** Path and query, from the root. */
  path: string
  headers: Record<string, string>
  body?: string | FormData | File
}

export interface TriedResponse {
  status: number
  /** Until the last byte was received. */
  ms: number
  headers: Headers
  /** undefined when it is too large to be shown. */
  body: Blob | undefined
}

/** @throws TypeError without a response, DOMException AbortError when `signal` aborts */
export async function tryRequest(
  { path, method, headers, body }: Request,
  credential: string | null,
  signal: AbortSignal,
): Promise<TriedResponse> {
  const start = performance.now()
  const response = await fetch(path, {
    method,
    headers: { ...headers, ...(credential !== null && { Authorization: `Bearer ${credential}` }) },
    ...(body === undefined ? {} : { body }),
    cache: 'no-store',
    credentials: 'omit',
    signal,
  })
  const read = await readBody(response)
  return { status: response.status, ms: Math.round(performance.now() - start), headers: response.headers, body: read }
}

async function readBody(response: Response): Promise<Blob | undefined> {
  const type = response.headers.get('content-type') ?? ''
  const reader = response.body?.getReader()
  if (reader === undefined) return new Blob([], { type })
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Blob(parts, { type })
    size += value.length
    if (size > maxReadBytes) {
      await reader.cancel()
      return undefined
    }
    parts.push(value)
  }
}
