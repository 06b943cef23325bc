// Refuses compressed bodies: they could decompress to any size.
import type { FastifyRequest } from 'fastify'
import { Failure } from '../../domain/failure.ts'

/** @param expected type of the body @throws {Failure} unsupported_body, naming the encoding */
export function refuseEncodedBody({ headers }: FastifyRequest, expected: string): void {
  const encoding = headers['content-encoding']
  if (encoding === undefined || /^(identity)?$/i.test(encoding)) return
  throw new Failure('unsupported_body', { expected: `${expected} without Content-Encoding: ${encoding.slice(0, 40)}` })
}
