// Reads multipart forms within limits of bytes, parts and headers; saves their images.
import { writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { limits } from '../../../contract/plain/limits.ts'
import { preferSync } from '../../concurrency/prefer-sync.ts'
import { Failure } from '../../domain/shared/failure.ts'

/** The text fields of the form, unvalidated. */
export type Fields = Record<string, unknown>

export interface BodyLimit {
  maxBytes: number
  /** Thrown for a larger body. */
  refusal: Failure
}

/** Refuses by the header alone, before anything is read. */
export function assertDeclaredBytes({ headers }: FastifyRequest, { maxBytes, refusal }: BodyLimit): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw refusal
}

/**
 * Limits the bytes of the whole form: the parser does not count those outside the parts. After a
 * failure the rest of the body is discarded, so that the client can read the response.
 * @param read must start reading synchronously: earlier chunks are lost
 * @throws {Failure} the refusal, malformed_upload; what `read` throws
 */
export async function readForm<T>(request: FastifyRequest, limit: BodyLimit, read: () => Promise<T>): Promise<T> {
  const { raw } = request
  let bytes = 0
  const count = (part: Buffer) => {
    bytes += part.length
    if (bytes <= limit.maxBytes) return
    raw.off('data', count)
    // The reader fails and cleans up. `destroy` would close the connection before the response.
    raw.emit('error', limit.refusal)
  }
  try {
    assertDeclaredBytes(request, limit)
    // The parser of an aborted body never ends (@fastify/multipart 10 listens too late).
    if (raw.destroyed) throw connectionClosed()
    raw.on('data', count)
    return await read().finally(() => raw.off('data', count))
  } catch (error) {
    raw.unpipe()
    raw.resume()
    throw toUploadFailure(error)
  }
}

const connectionClosed = (cause?: unknown) =>
  new Failure('malformed_upload', { problem: 'the connection closed before the upload was complete' }, { cause })

export interface ImagePart {
  path: string
  /** As sent; '' without one. */
  name: string
}

interface PartLimits {
  folder: string
  /**
   * Whose parts are images also without a file name, as some clients send them: the parser would read them as
   * text, which destroys bytes and truncates base64.
   */
  imageFields: readonly string[]
  /** Of one image. */
  maxBytes: number
  maxFiles: number
  maxFields: number
}

/**
 * Saves the parts that carry images in `folder`.
 * @throws {Failure} no_file, too_many_files, file_too_large, malformed_upload
 */
export const saveImageParts = (request: FastifyRequest, limit: BodyLimit, given: PartLimits) =>
  readForm(request, limit, () => saveParts(request, given))

async function saveParts(
  request: FastifyRequest,
  { folder, imageFields, maxBytes, maxFiles, maxFields }: PartLimits,
): Promise<{ parts: ImagePart[]; fields: Fields }> {
  const images: ImagePart[] = []
  const fields: Fields = {}
  const parts = request.parts({
    // limitBytes refuses more; the parser would end the part silently.
    limits: { files: maxFiles, parts: maxFields + maxFiles, fields: maxFields, fileSize: maxBytes + 1 },
    isPartAFile: (name: string | undefined, type: string, fileName: string | undefined) =>
      fileName !== undefined || type === 'application/octet-stream' || imageFields.includes(name ?? ''),
  } as object)
  for await (const part of parts) {
    assertWholeHeader(part)
    if (part.type === 'field') {
      fields[part.fieldname] = part.value
      continue
    }
    if (!imageFields.includes(part.fieldname)) throw new Failure('no_file')
    // A content type alone makes a part a file, which the types of the plugin do not express.
    const sentName: string | undefined = part.filename
    const path = join(folder, images.length === 0 ? 'source' : `source-${images.length}`)
    const limit = limitBytes({ maxBytes, refusal: new Failure('file_too_large', { maxBytes }) })
    await saveChunks(path, limit(part.file))
    images.push({ path, name: sentName ?? '' })
  }
  return { parts: images, fields }
}

/** Keys come in the first part, or after a few short ones. */
const maxKeyHeadBytes = 4096

/** Finds keys in the parts before the first file, without parsing the form. The body stays in the request. */
export async function keysBeforeFile(request: FastifyRequest): Promise<Fields> {
  await untilBuffered(request)
  const head = request.raw.read() as Buffer | null
  if (head === null) return {}
  request.raw.unshift(head)
  const [beforeFile = ''] = head.toString('latin1', 0, maxKeyHeadBytes).split(/;\s*filename/i, 1)
  const parts = beforeFile.matchAll(/;\s*name="?(key|token)"?[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n([^\r\n]*)\r\n/gi)
  return Object.fromEntries([...parts].map(([, name = '', value]) => [name.toLowerCase(), value]))
}

/**
 * The chunks of a body, and what failed after the last one. Neither that nor an early end destroys the
 * request, as an iterator of it would: the client reads the response on its connection.
 */
export async function* chunksOf({ raw }: FastifyRequest): AsyncGenerator<Buffer> {
  if (raw.destroyed) throw connectionClosed()
  const chunks = new PassThrough()
  let failure: Error | undefined
  const onError = (error: Error) => {
    failure = error
    chunks.end()
  }
  raw.on('error', onError).pipe(chunks)
  try {
    yield* chunks
    if (failure) throw failure
  } finally {
    raw.off('error', onError).unpipe(chunks)
  }
}

/**
 * Resolves when the request holds as much of its body as it buffers (16 KiB), or all of it. A body
 * that trickles in occupies no folder and no parser (33 kB of heap, 13 without them).
 * @throws {Failure} request_timeout, malformed_upload
 */
export async function untilBuffered({ raw }: FastifyRequest): Promise<void> {
  const isBuffered = () => raw.complete || raw.destroyed || raw.readableLength >= raw.readableHighWaterMark
  if (isBuffered()) return
  const buffered = new Promise<void>((resolve, reject) => {
    const end = (error?: Error) => {
      raw.off('readable', check).off('close', end).off('error', end)
      if (error === undefined) resolve()
      else reject(error)
    }
    const check = () => {
      if (isBuffered()) end()
    }
    raw.on('readable', check).once('close', end).once('error', end)
  })
  await buffered.catch((error: unknown) => {
    throw toUploadFailure(error)
  })
}

/** Ends a stream with the refusal as soon as it has more bytes, without waiting for the rest. */
export const limitBytes = ({ maxBytes, refusal }: BodyLimit) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > maxBytes) throw refusal
      yield chunk
    }
  }

/** Saves a body that is no form. @throws {Failure} the refusal, malformed_upload */
export async function saveBody(request: FastifyRequest, path: string, limit: BodyLimit): Promise<void> {
  try {
    await saveChunks(path, limitBytes(limit)(chunksOf(request)))
  } catch (error) {
    throw toUploadFailure(error)
  }
}

/** Writes chunks to a file as they arrive. @throws what `chunks` throws, and as node:fs */
export async function saveChunks(path: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'w')
  try {
    for await (const chunk of chunks)
      await preferSync(
        () => writeWhole(file.fd, chunk),
        () => file.appendFile(chunk),
      )
  } finally {
    await file.close()
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
}

/** The part of a part header that is not its name: the boundary, the disposition and the type. */
const plainHeaderBytes = 512

/** The parser truncates a long header without an error. Only the names in it can be that long. */
function assertWholeHeader({ fieldname = '', filename = '' }: { fieldname?: string; filename?: string }): void {
  const most = limits.upload.maxPartHeaderBytes - plainHeaderBytes
  if (Buffer.byteLength(fieldname) + Buffer.byteLength(filename) > most)
    throw new Failure('malformed_upload', { problem: 'a name in it is too long' })
}

const parserFailures: Record<string, () => Failure> = {
  FST_FILES_LIMIT: () => new Failure('too_many_files'),
  FST_PARTS_LIMIT: () => new Failure('malformed_upload', { problem: 'it has too many parts' }),
  FST_FIELDS_LIMIT: () => new Failure('malformed_upload', { problem: 'it has too many fields' }),
  FST_PROTO_VIOLATION: () => new Failure('malformed_upload', { problem: 'it has a forbidden field name' }),
}

/** The parser's errors have no class of their own: every error of it concerns the form. */
export function toUploadFailure(error: unknown): unknown {
  if (error instanceof Failure) return error
  const { code, message } = error as { code?: string; message?: string }
  const known = code === undefined ? undefined : parserFailures[code]
  if (known) return known()
  // The client disconnected: no file of the server can be reset.
  if (code === 'ECONNRESET') return connectionClosed(error)
  if (code?.startsWith('E') && code !== 'ERR_STREAM_PREMATURE_CLOSE') return error
  return new Failure('malformed_upload', { problem: message ?? 'it cannot be read' }, { cause: error })
}
