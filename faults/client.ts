// HTTP requests over node:http: cheap enough for thirty-two clients beside the server on two cores.
import { type Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UploadedImage } from '../contract/endpoints/images.ts'

export interface CallResponse {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
  /** From the first byte sent to the last byte received. */
  tookMs: number
}

export interface Call {
  method?: string
  /** Of the account, or an API key. */
  token?: string
  headers?: Record<string, string | number>
  /** An object is sent as JSON. */
  body?: Buffer | object
  agent?: Agent
  /** Default 60 s. */
  timeoutMs?: number
}

/** @throws socket errors: a killed server, a response that did not arrive in time */
export function call(url: string, { method = 'GET', token, headers, body, agent, timeoutMs = 60_000 }: Call = {}) {
  return new Promise<CallResponse>((resolve, reject) => {
    const start = performance.now()
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    const sent = request(url, {
      method,
      headers: {
        ...(bytes !== body && { 'content-type': 'application/json' }),
        ...(token !== undefined && bearer(token)),
        ...headers,
        ...(bytes && { 'content-length': bytes.length }),
      },
      agent,
    })
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no reply within ${timeoutMs} ms`)))
    sent.once('error', reject)
    sent.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
          tookMs: performance.now() - start,
        }),
      )
    })
    sent.end(bytes)
  })
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export const bodyOf = <T>({ body }: Pick<CallResponse, 'body'>): T => JSON.parse(body.toString('utf8')) as T

/** Status and body of a response, for a message. */
export const described = ({ status, body }: Pick<CallResponse, 'status' | 'body'>) =>
  `${status} ${body.toString('utf8', 0, 300)}`

/**
 * Sends JSON and returns the JSON of the response. The method is POST with a body.
 * @param expected the only status that is accepted. Default: any 2xx
 * @throws on another status
 */
export async function requestJson<T>(
  url: string,
  { expected, ...options }: Call & { expected?: number } = {},
): Promise<T> {
  const method = options.method ?? (options.body === undefined ? 'GET' : 'POST')
  const reply = await call(url, { timeoutMs: 300_000, ...options, method })
  const isExpected = expected === undefined ? reply.status >= 200 && reply.status < 300 : reply.status === expected
  if (!isExpected) throw new Error(`${method} ${new URL(url).pathname}: ${described(reply)}`)
  return bodyOf<T>(reply)
}

export interface Account {
  email: string
  password: string
}

const password = 'secret of the harness'
export const admin: Account = { email: 'admin@example.com', password }
/** Settings of a server with that admin. */
export const adminSettings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, RATE_LIMIT_ADMIN: '0' }

/** Registers an account. @returns its token. @throws when the server refuses */
export async function register(url: string, email: string, options: Call = {}): Promise<string> {
  const body = { email, password }
  return (await requestJson<{ token: string }>(`${url}/api/register`, { ...options, body, expected: 201 })).token
}

/** @param account one of {@link register}, by its email, or another. @throws when the server refuses */
export async function logIn(url: string, account: Account | string): Promise<string> {
  const body = typeof account === 'string' ? { email: account, password } : account
  return (await requestJson<{ token: string }>(`${url}/api/login`, { body })).token
}

const boundary = 'faults-7MA4YWxkTrZu0gW'

/** A multipart form of one file, in memory. */
export function formOf(file: Uint8Array, name = 'picture.jpg', type = 'image/jpeg'): Buffer {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), file, Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1')])
}

export const formHeaders = { 'content-type': `multipart/form-data; boundary=${boundary}` }

export type UploadOptions = Call & { name?: string }

/** Uploads a file and returns the response, whatever its status. */
export const upload = (url: string, file: Uint8Array, { name, ...options }: UploadOptions = {}) =>
  call(`${url}/api/upload`, {
    ...options,
    method: 'POST',
    headers: { ...formHeaders, ...options.headers },
    body: formOf(file, name),
  })

/** Uploads a file that is stored, after the waits that a busy server asks for. @throws when it is not stored */
export async function store(url: string, file: Uint8Array, options: UploadOptions = {}): Promise<UploadedImage> {
  let reply = await upload(url, file, options)
  // On a busy machine the decoders are slow, and refuse what would wait for too long.
  for (let tries = 1; reply.status === 503 && bodyOf<{ code?: string }>(reply).code === 'busy' && tries < 20; tries++) {
    await sleep(Number(reply.headers['retry-after'] ?? 1) * 1000)
    reply = await upload(url, file, options)
  }
  if (reply.status !== 201) throw new Error(`An upload got ${described(reply)}`)
  return imageIn(reply)
}

export const imageIn = (reply: CallResponse): UploadedImage => bodyOf<UploadedImage>(reply)

/** The address of its original on a server, which may have another PUBLIC_URL. */
export const originalAt = (url: string, image: Pick<UploadedImage, 'url'>) => url + new URL(image.url).pathname
