// Small bodies of clients of other hosts: JSON, or a form of either kind, whatever the declared type.
import type { FastifyRequest } from 'fastify'
import { limits } from '../../../contract/plain/limits.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { parseText } from './encoded-image.ts'
import { chunksOf, type Fields, limitBytes, readForm, toUploadFailure } from './multipart.ts'
import { readFields } from './form-fields.ts'

const { maxBodyBytes: maxBytes } = limits.json

/** @throws {Failure} body_too_large, malformed_json, malformed_upload, too_many_files */
export async function readSmallBody(request: FastifyRequest): Promise<Fields> {
  const limit = { maxBytes, refusal: new Failure('body_too_large', { maxBytes }) }
  if (request.isMultipart()) return readForm(request, limit, () => readFields(request))
  const chunks: Buffer[] = []
  try {
    for await (const chunk of limitBytes(limit)(chunksOf(request))) chunks.push(chunk)
  } catch (error) {
    request.raw.resume()
    throw toUploadFailure(error)
  }
  return parseText(Buffer.concat(chunks).toString())
}
