// Parts of a body by Range, its length, and If-None-Match.
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import type { ByteRange } from '../../blobs/blob-store.ts'
import { Failure } from '../../domain/shared/failure.ts'

/** Sets the length of the body. @returns the range of a 206. @throws {Failure} range_not_satisfiable */
export function setBodyHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  size: number,
  etag: string,
): ByteRange | undefined {
  reply.header('accept-ranges', 'bytes')
  const range = requestedRange(request, reply, size, etag)
  reply.header('content-length', range ? range.end - range.start + 1 : size)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  return range
}

/** Several ranges, an unknown unit, a stale If-Range or a POST get the whole (RFC 9110, section 14.2). */
function requestedRange(request: FastifyRequest, reply: FastifyReply, size: number, etag: string) {
  const { range, 'if-range': ifRange } = request.headers
  if (request.method === 'POST' || range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  const ranges = parseRange(size, withinSize(range, size))
  if (ranges === -1) {
    reply.header('content-range', `bytes */${size}`)
    throw new Failure('range_not_satisfiable')
  }
  return ranges !== -2 && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined
}

/** A suffix longer than the file means all of it (RFC 9110, section 14.1.2). */
const withinSize = (range: string, size: number) =>
  range.replace(/^bytes=-(\d+)$/, (_, suffix: string) => `bytes=-${Math.min(Number(suffix), size)}`)

/** If-None-Match compares weakly (RFC 9110, section 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined || header === etag) return header === etag
  return header
    .split(',')
    .some((candidate) => candidate.trim() === '*' || candidate.trim().replace(/^W\//, '') === etag)
}
