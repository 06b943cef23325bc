// Small bodies without a file: the text fields of a form, and for clients of other hosts those of JSON too.
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../contract/endpoints/endpoint.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { isForeignOrigin } from '../request/cross-origin.ts'
import { listsIn, parseText } from './encoded-image.ts'
import { chunksOf, type Fields, limitBytes, readForm, toUploadFailure } from './multipart.ts'

const { maxFormFields, maxFormFieldBytes } = limits.contact
/** Of the whole body: more than all its fields together may have. */
const { maxBodyBytes: maxBytes } = limits.json

/**
 * Reads the fields of a multipart form by name. A repeated name has its last value; a list (ids[]) has all.
 * @param allowed whether pages of any origin may send it
 * @throws {Failure} unsupported_body, foreign_form, malformed_upload, too_many_files,
 * body_too_large
 */
export async function receiveForm(
  deps: Deps,
  request: FastifyRequest,
  allowed: NonNullable<Endpoint['form']>,
): Promise<Fields> {
  if (!request.isMultipart()) throw new Failure('unsupported_body', { expected: 'multipart/form-data' })
  // Browsers send forms without a preflight: other sites could use their visitors' addresses.
  if (allowed !== 'any origin' && isForeignOrigin(deps.config, request)) throw new Failure('foreign_form')
  return readForm(request, bodyLimit(), () => readFields(request))
}

/**
 * Reads a form of either kind or JSON, whatever the declared type.
 * @throws {Failure} body_too_large, malformed_json, malformed_upload, too_many_files
 */
export async function readSmallBody(request: FastifyRequest): Promise<Fields> {
  if (request.isMultipart()) return readForm(request, bodyLimit(), () => readFields(request, maxListFields))
  const chunks: Buffer[] = []
  try {
    for await (const chunk of limitBytes(bodyLimit())(chunksOf(request))) chunks.push(chunk)
  } catch (error) {
    request.raw.resume()
    throw toUploadFailure(error)
  }
  return parseText(Buffer.concat(chunks).toString())
}

const bodyLimit = () => ({ maxBytes, refusal: new Failure('body_too_large', { maxBytes }) })

/** Clients of other hosts send a field for each image of an album. */
const maxListFields = limits.albums.maxImages + maxFormFields

async function readFields(request: FastifyRequest, maxFields: number = maxFormFields): Promise<Fields> {
  const fields: [name: string, value: unknown][] = []
  const parts = request.parts({
    limits: { files: 0, fields: maxFields, parts: maxFields + 1, fieldSize: maxFormFieldBytes },
  })
  for await (const part of parts) {
    if (part.type === 'file') throw new Failure('too_many_files')
    if (part.valueTruncated) throw new Failure('body_too_large', { maxBytes: maxFormFieldBytes })
    fields.push([part.fieldname, part.value])
  }
  return { ...Object.fromEntries(fields), ...listsIn(fields) }
}
