// One file from a multipart form into a temporary folder of its own, its size watched while it streams.
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { limits } from '../../contract/limits.ts'
import type { Caller } from '../domain/caller.ts'
import type { Deps } from '../domain/deps.ts'
import { Failure } from '../domain/failure.ts'
import { createKeyedSemaphores } from '../concurrency/semaphore.ts'
import { admitUpload, type ReceivedFile } from '../domain/images/uploads.ts'
import { refuseForeignOrigin } from './client-address.ts'
import { withinBytes } from './guard/body-limit.ts'

/** Concurrent guest uploads per client address. Queued requests wait with their bodies unread. */
const guestSemaphoreOf = createKeyedSemaphores({
  permits: 2,
  maxQueued: 100,
  maxWaitMs: 4000,
  rejectWith: () => new Failure('busy', {}, { retryAfterS: 2 }),
})

/**
 * Receives the file of the form field `field` and hands it to `use`. Whatever is left of it afterwards is removed.
 * @throws {Failure} unsupported_body, no_file, too_many_files, empty_file, file_too_large, malformed_upload,
 *   foreign_origin, guest_uploads_off, too_many_requests, busy; and what `use` throws
 */
export async function withUpload<T>(
  deps: Deps,
  request: FastifyRequest,
  { caller, address, field }: { caller: Caller; address: string; field: string },
  use: (file: ReceivedFile, fields: Fields) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw new Failure('unsupported_body', { expected: 'multipart/form-data' })
  if (caller.kind === 'guest') refuseForeignOrigin(deps.config, request)
  const { maxBytes } = await admitUpload(deps, caller, address)
  // Told before the first byte: nothing of it needs to be read.
  const declaredBytes = Number(request.headers['content-length'] ?? 0)
  if (declaredBytes > maxBytes + limits.upload.framingBytes) throw new Failure('file_too_large', { maxBytes })

  const isLimited = caller.kind === 'guest' && deps.config.GUEST_UPLOADS_PER_HOUR > 0
  const receiveAndUse = () =>
    inFolder(deps, async (folder) => {
      const { file, fields } = await receiveOrDrain(request, { folder, field, maxBytes })
      return use(file, fields)
    })
  return isLimited ? guestSemaphoreOf(address)(receiveAndUse) : receiveAndUse()
}

async function inFolder<T>(deps: Deps, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(deps.tempDir, 'upload-'))
  try {
    return await use(folder)
  } finally {
    // What came of the upload is the answer, whatever becomes of the folder: the janitor comes again.
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      deps.log.warn({ err: error, folder }, 'The folder of an upload could not be removed'),
    )
  }
}

/** The text fields of the form, as they came. */
type Fields = Record<string, unknown>

interface Receipt {
  folder: string
  field: string
  maxBytes: number
}

async function receiveOrDrain(request: FastifyRequest, receipt: Receipt) {
  try {
    const maxBytes = receipt.maxBytes + limits.upload.framingBytes
    const refusal = new Failure('file_too_large', { maxBytes: receipt.maxBytes })
    return await withinBytes(request, { maxBytes, refusal }, () => receive(request, receipt))
  } catch (error) {
    drain(request)
    throw translate(error)
  }
}

/** What still comes of the body is thrown away as it comes, so that the client can read the answer. */
export function drain(request: FastifyRequest): void {
  request.raw.unpipe()
  request.raw.resume()
}

async function receive(
  request: FastifyRequest,
  { folder, field, maxBytes }: Receipt,
): Promise<{ file: ReceivedFile; fields: Fields }> {
  let file: ReceivedFile | undefined
  const fields: Fields = {}
  refuseWhoLeft(request)
  const parts = request.parts({ limits: { files: 1, fileSize: maxBytes } })
  for await (const part of parts) {
    refuseCutHeader(part)
    if (part.type === 'field') {
      fields[part.fieldname] = part.value
      continue
    }
    if (part.fieldname !== field) throw new Failure('no_file')
    // A part may be a file by its type alone. The types of the plugin do not know.
    const sentName: string | undefined = part.filename
    file = { folder, path: join(folder, 'source'), name: sentName ?? '' }
    if ((await save(part, file.path, maxBytes)) === 0) throw new Failure('empty_file')
  }
  if (!file) throw new Failure('no_file')
  return { file, fields }
}

/**
 * Nothing more will come of this body, and its parser would wait for it forever (@fastify/multipart 10 listens for a 'close'
 * that is over). Called right before each parser is made. @throws {Failure} malformed_upload, which nobody reads
 */
export function refuseWhoLeft({ raw }: FastifyRequest): void {
  if (raw.destroyed) throw new Failure('malformed_upload', { problem: 'it broke off' })
}

/** What the boundary, the disposition and the type themselves may take of a header. */
const plainHeaderBytes = 512

/** The parser cuts a header at its limit and says nothing. What is cut is a name: other lines are not looked at. */
function refuseCutHeader({ fieldname = '', filename = '' }: { fieldname?: string; filename?: string }): void {
  const most = limits.upload.maxPartHeaderBytes - plainHeaderBytes
  if (Buffer.byteLength(fieldname) + Buffer.byteLength(filename) > most)
    throw new Failure('malformed_upload', { problem: 'a name in it is too long' })
}

/** @returns bytes. @throws {Failure} file_too_large the moment it is, not when the rest has come */
async function save(part: MultipartFile, path: string, maxBytes: number): Promise<number> {
  const out = createWriteStream(path)
  const tooLarge = new AbortController()
  part.file.once('limit', () => tooLarge.abort())
  try {
    await pipeline(part.file, out, { signal: tooLarge.signal })
  } catch (error) {
    if (tooLarge.signal.aborted) throw new Failure('file_too_large', { maxBytes }, { cause: error })
    throw error
  }
  return out.bytesWritten
}

const parserFailures: Record<string, () => Failure> = {
  FST_FILES_LIMIT: () => new Failure('too_many_files'),
  FST_PARTS_LIMIT: () => new Failure('malformed_upload', { problem: 'it has too many parts' }),
  FST_FIELDS_LIMIT: () => new Failure('malformed_upload', { problem: 'it has too many fields' }),
  FST_PROTO_VIOLATION: () => new Failure('malformed_upload', { problem: 'it has a forbidden field name' }),
}

/** The parser's own errors have no class to tell them by: whatever it throws is about the form it was given. */
export function translate(error: unknown): unknown {
  if (error instanceof Failure) return error
  const { code, message } = error as { code?: string; message?: string }
  const known = code === undefined ? undefined : parserFailures[code]
  if (known) return known()
  // The client left: no file of ours is reset.
  if (code === 'ECONNRESET') return new Failure('malformed_upload', { problem: 'it broke off' }, { cause: error })
  if (code?.startsWith('E') && code !== 'ERR_STREAM_PREMATURE_CLOSE') return error
  return new Failure('malformed_upload', { problem: message ?? 'it cannot be read' }, { cause: error })
}
