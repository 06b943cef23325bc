// The tus library behind the framework: it gets a request and its response is read, so that every refusal
// and every header is the product's.
import { ReadableStream } from 'node:stream/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, Server, type Upload } from '@tus/server'
import { limits } from '../../../../contract/plain/limits.ts'
import type { Deps } from '../../../domain/shared/deps.ts'
import { Failure } from '../../../domain/shared/failure.ts'
import { newId } from '../../../domain/shared/secrets.ts'
import type { UploadRecord } from '../../../domain/shared/ports.ts'
import type { CallerContext } from '../../request/callers.ts'
import { chunksOf } from '../multipart.ts'
import { PartStore } from './part-store.ts'
import { createUploadLocker } from './upload-lock.ts'

/** Called with a new upload before it exists; what it throws refuses it. */
type OnCreate = (upload: Upload) => Promise<void>

export interface Tus {
  /**
   * Handles a request except for its response. @returns the bytes that the server has of the upload
   * @throws {Failure} what `onCreate` throws; tus_version, invalid_input, unsupported_body,
   * upload_not_found, wrong_offset, body_too_large, malformed_request
   */
  handle(context: CallerContext, onCreate?: OnCreate): Promise<{ response: Response; offset: number }>
  /** Handles a request and responds. */
  respond(context: CallerContext): Promise<FastifyReply>
  copyHeaders(reply: FastifyReply, response: Response, record?: UploadRecord): void
}

/** How long a request goes on that holds the lock of an upload which another one wants. */
const lockDrainMs = 100

export const protocolVersion = '1.0.0'
const passedHeaders = [
  'tus-resumable',
  'content-type',
  'content-length',
  'upload-concat',
  'upload-defer-length',
  'upload-length',
  'upload-metadata',
  'upload-offset',
]

interface Call {
  /** Of the path alone: that of the upload for which the caller was admitted. */
  id: string | undefined
  onCreate: OnCreate | undefined
  /** What a hook or the store threw. */
  error?: unknown
}

export function openTus(deps: Deps, path: string): Tus {
  const calls = new WeakMap<Request, Call>()
  /** By the upload whose bytes a request brings: when the last one came. */
  const lastBytes = new Map<string, number>()
  const server = new Server({
    path,
    datastore: new PartStore(deps.uploadRecords),
    relativeLocation: true,
    locker: createUploadLocker((id) => lastBytes.get(id)),
    lockDrainTimeout: lockDrainMs,
    // As OPTIONS shows it; startUpload refuses more, by the role of the uploader.
    maxSize: ({ method }) => (method === 'OPTIONS' ? deps.config.USER_MAX_BYTES : 0),
    namingFunction: () => newId(deps),
    getFileIdFromRequest: (request) => calls.get(request)?.id,
    async onUploadCreate(request, upload) {
      await calls.get(request)?.onCreate?.(upload)
      return {}
    },
    onResponseError(request, error) {
      const call = calls.get(request)
      if (call) call.error = error
      return undefined
    },
  })

  const handle: Tus['handle'] = async ({ request, reply }, onCreate) => {
    if (request.method !== 'OPTIONS') assertTusVersion(request)
    const { id } = request.params as { id?: string }
    const body = readBody(request, () => id !== undefined && lastBytes.set(id, performance.now()))
    const web = toWebRequest(request, path, body.stream)
    const call: Call = { id, onCreate }
    calls.set(web, call)
    const response = await server.handleWeb(web).finally(() => id !== undefined && lastBytes.delete(id))
    if (body.error !== undefined || response.status >= 400) {
      // Of the body some may have been read: the rest cannot be skipped on every path.
      if (body.isRead) reply.header('connection', 'close')
      else request.raw.resume()
    }
    if (response.status >= 400) throw toRefusal(response.status, await response.text(), call.error, body)
    return { response, offset: Number(response.headers.get('upload-offset')) }
  }

  return {
    handle,
    async respond(context) {
      const { response } = await handle(context)
      copyHeaders(context.reply, response)
      return context.reply.code(response.status).send()
    },
    copyHeaders,
  }
}

/** @throws {Failure} tus_version */
export function assertTusVersion({ headers }: FastifyRequest): void {
  if (headers['tus-resumable'] !== protocolVersion) throw new Failure('tus_version')
}

export const endOf = ({ createdAt }: UploadRecord): string =>
  new Date(createdAt + limits.resumable.lifetimeMs).toUTCString()

/** Leaves out those for pages of other origins, which the product sets itself. */
function copyHeaders(reply: FastifyReply, { headers }: Response, record?: UploadRecord): void {
  for (const [name, value] of headers) if (/^(tus-|upload-|location$)/.test(name)) reply.header(name, value)
  if (headers.get('connection') === 'close') reply.header('connection', 'close')
  if (record) reply.header('upload-expires', endOf(record))
}

interface Body {
  stream: ReadableStream
  isRead: boolean
  /** Why it ended early. */
  error?: unknown
}

/**
 * The body ends where the connection ends, or where its client is too slow: the received bytes are stored,
 * so that the client continues after them.
 */
function readBody(request: FastifyRequest, onBytes: () => void): Body {
  const body: Body = { stream: ReadableStream.from(chunks()), isRead: false }
  async function* chunks() {
    body.isRead = true
    try {
      for await (const chunk of chunksOf(request)) {
        onBytes()
        yield chunk
      }
    } catch (error) {
      body.error = error
    }
  }
  return body
}

/** The address has neither id nor query: the library would take its last word for the id. */
function toWebRequest({ method, headers }: FastifyRequest, path: string, stream: ReadableStream): Request {
  const passed = passedHeaders.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as [string, string]] : []
  })
  const hasBody = method === 'POST' || method === 'PATCH'
  return new Request(new URL(path, 'http://localhost'), {
    method,
    headers: passed,
    ...(hasBody ? { body: stream as RequestInit['body'], duplex: 'half' } : {}),
  })
}

/** The library responds with a text, and throws objects of its own besides errors. */
function toRefusal(status: number, text: string, error: unknown, body: Body): unknown {
  if (error instanceof Failure) return error
  if (body.error !== undefined) return body.error
  if (status === 404 || status === 410) return new Failure('upload_not_found')
  // A newer request of the same upload took its place; clients come back after 409.
  if (status === 409 || error === ERRORS.ABORTED) return new Failure('wrong_offset')
  if (status === 413)
    return new Failure('invalid_input', { field: 'body', problem: 'has more bytes than Upload-Length' })
  if (error === ERRORS.INVALID_CONTENT_TYPE || /^invalid content-type/i.test(text))
    return new Failure('unsupported_body', { expected: 'application/offset+octet-stream' })
  if (error instanceof Error && !('status_code' in error)) return error
  if (status < 500 || status === 501) return new Failure('invalid_input', { field: 'headers', problem: text.trim() })
  return error
}
