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
import { type ReceivedFile, uploadRules } from '../domain/images/uploads.ts'
import { refuseForeignOrigin } from './address.ts'

/**
 * Receives the file of the form field `field`.
 * @returns the file, and `discard`, which removes whatever is left in its folder
 * @throws {Failure} unsupported_body, no_file, too_many_files, empty_file, file_too_large, malformed_upload,
 *   foreign_origin, guest_uploads_off; nothing is left of the upload then
 */
export async function receiveUpload(
  deps: Deps,
  request: FastifyRequest,
  caller: Caller,
  field: string,
): Promise<{ file: ReceivedFile; discard: () => Promise<void> }> {
  const { maxBytes } = uploadRules(deps, caller)
  if (caller.kind === 'guest') refuseForeignOrigin(deps.config, request)
  if (!request.isMultipart()) throw new Failure('unsupported_body', { expected: 'multipart/form-data' })
  // Told before the first byte: nothing of it needs to be read.
  const declaredBytes = Number(request.headers['content-length'] ?? 0)
  if (declaredBytes > maxBytes + limits.upload.framingBytes) throw new Failure('file_too_large', { maxBytes })

  const folder = await mkdtemp(join(deps.tempDir, 'upload-'))
  const discard = () => rm(folder, { recursive: true, force: true })
  try {
    return { file: await receive(request, { folder, field, maxBytes }), discard }
  } catch (error) {
    await discard()
    // What still comes of the body is thrown away as it comes, so that the client can read the answer.
    request.raw.unpipe()
    request.raw.resume()
    throw translate(error)
  }
}

async function receive(
  request: FastifyRequest,
  { folder, field, maxBytes }: { folder: string; field: string; maxBytes: number },
): Promise<ReceivedFile> {
  let file: ReceivedFile | undefined
  const parts = request.parts({ limits: { files: 1, fileSize: maxBytes } })
  for await (const part of parts) {
    if (part.type !== 'file') continue
    if (part.fieldname !== field) throw new Failure('no_file')
    file = { folder, path: join(folder, 'source'), name: part.filename }
    if ((await save(part, file.path, maxBytes)) === 0) throw new Failure('empty_file')
  }
  if (!file) throw new Failure('no_file')
  return file
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
function translate(error: unknown): unknown {
  if (error instanceof Failure) return error
  const { code, message } = error as { code?: string; message?: string }
  const known = code === undefined ? undefined : parserFailures[code]
  if (known) return known()
  if (code?.startsWith('E') && code !== 'ERR_STREAM_PREMATURE_CLOSE') return error
  return new Failure('malformed_upload', { problem: message ?? 'it cannot be read' }, { cause: error })
}
