// The text fields of a multipart form that carries no file.
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../contract/endpoints/endpoint.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { isForeignOrigin } from '../request/client-address.ts'
import { readForm } from './multipart.ts'

const { maxFormFields, maxFormFieldBytes } = limits.contact
/** Of the whole form: more than all its fields together may have. */
const { maxBodyBytes: maxBytes } = limits.json

/**
 * Reads the fields by name; of a repeated name the last one.
 * @param allowed whether pages of any origin may send it
 * @throws {Failure} unsupported_body, foreign_form, malformed_upload, too_many_files,
 * body_too_large
 */
export async function receiveForm(
  deps: Deps,
  request: FastifyRequest,
  allowed: NonNullable<Endpoint['form']>,
): Promise<Record<string, unknown>> {
  if (!request.isMultipart()) throw new Failure('unsupported_body', { expected: 'multipart/form-data' })
  // Browsers send forms without a preflight: other sites could use their visitors' addresses.
  if (allowed !== 'any origin' && isForeignOrigin(deps.config, request)) throw new Failure('foreign_form')
  const refusal = new Failure('body_too_large', { maxBytes })
  return readForm(request, { maxBytes, refusal }, () => readFields(request))
}

/** @throws {Failure} malformed_upload, too_many_files, body_too_large */
export async function readFields(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields: [name: string, value: unknown][] = []
  const parts = request.parts({
    limits: { files: 0, fields: maxFormFields, parts: maxFormFields + 1, fieldSize: maxFormFieldBytes },
  })
  for await (const part of parts) {
    if (part.type === 'file') throw new Failure('too_many_files')
    if (part.valueTruncated) throw new Failure('body_too_large', { maxBytes: maxFormFieldBytes })
    fields.push([part.fieldname, part.value])
  }
  return Object.fromEntries(fields)
}
