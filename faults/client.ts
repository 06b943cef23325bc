// HTTP uploads over node:http: cheap enough for thirty-two clients beside the server on two cores.
import { type Agent, type IncomingMessage, request } from 'node:http'
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
  headers?: Record<string, string | number>
  body?: Buffer
  agent?: Agent
  /** Default 60 s. */
  timeoutMs?: number
}

/** @throws socket errors: a killed server, a response that did not arrive in time */
export function call(url: string, { method = 'GET', headers = {}, body, agent, timeoutMs = 60_000 }: Call = {}) {
  return new Promise<CallResponse>((resolve, reject) => {
    const start = performance.now()
    const sent = request(url, {
      method,
      headers: { ...headers, ...(body && { 'content-length': body.length }) },
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
    sent.end(body)
  })
}

const boundary = 'faults-7MA4YWxkTrZu0gW'

/** A multipart form of one file, in memory. */
export function formOf(file: Uint8Array, name = 'picture.jpg', type = 'image/jpeg'): Buffer {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), file, Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1')])
}

export const formHeaders = { 'content-type': `multipart/form-data; boundary=${boundary}` }

/** Uploads a file and returns the response, whatever its status. */
export const upload = (url: string, file: Uint8Array, options: Call & { name?: string; token?: string } = {}) =>
  call(`${url}/api/upload`, {
    ...options,
    method: 'POST',
    headers: {
      ...formHeaders,
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
    body: formOf(file, options.name),
  })

export const imageIn = (reply: CallResponse): UploadedImage => JSON.parse(reply.body.toString('utf8')) as UploadedImage

export const postJson = (url: string, body: object, token?: string, options: Call = {}): Promise<CallResponse> =>
  call(url, {
    ...options,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: Buffer.from(JSON.stringify(body)),
  })

/** Registers an account. @returns its token. @throws when the server refuses */
export async function register(url: string, email: string, options: Call = {}): Promise<string> {
  const body = { email, password: 'secret of the harness' }
  const reply = await postJson(`${url}/api/register`, body, undefined, options)
  if (reply.status !== 201) throw new Error(`No account for ${email}: ${reply.status} ${reply.body.toString('utf8')}`)
  return (JSON.parse(reply.body.toString('utf8')) as { token: string }).token
}
