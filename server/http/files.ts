// Images and files over HTTP: validators, ranges, HEAD, and headers against hostile images.
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import { limits } from '../../contract/limits.ts'
import type { ByteRange } from '../blobs/blob-store.ts'
import type { ServedFile } from '../domain/database/backups.ts'
import { Failure } from '../domain/failure.ts'
import type { ServedImage } from '../domain/images/served-image.ts'
import type { ServedStream } from '../domain/served-stream.ts'
import type { CanBuffer } from './guard/response-buffer-budget.ts'

/** Nothing in an image may run, load or navigate; SVGs may have inline styles and data: images. */
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
/** Larger originals are streamed. Variants are buffered as long as the budget allows. */
const maxBufferedOriginalBytes = 1024 * 1024
/** Bytes that a stream reads ahead of its client. The small size is not counted in the budget. */
const pieceBytes = { usual: 64 * 1024, small: 16 * 1024 }

interface SendOptions {
  nowMs: number
  /** Otherwise no cache may store the response. */
  isPublic: boolean
  canBuffer: CanBuffer
  /** Called with the whole image when it is sent from memory, before it is sent. */
  onBuffered: (bytes: Buffer) => void
}

/** @throws {Failure} range_not_satisfiable, image_gone, image_not_found, busy */
export async function sendImage(
  request: FastifyRequest,
  reply: FastifyReply,
  image: ServedImage,
  { nowMs, isPublic, canBuffer, onBuffered }: SendOptions,
): Promise<FastifyReply> {
  const headers = imageHeaders(image, nowMs)
  if (!isPublic) {
    headers['cache-control'] = 'private, no-store'
    headers['cross-origin-resource-policy'] = 'same-origin'
  }
  reply.headers(headers)
  // Where other origins are allowed, the response depends on the origin too.
  if (image.variesByAccept) reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '))
  if (matchesEtag(request.headers['if-none-match'], headers.etag)) {
    return reply.code(304).removeHeader('content-type').send()
  }
  let range: ByteRange | undefined
  if (image.kind === 'original') range = setBodyHeaders(request, reply, image.size, headers.etag)
  else reply.header('content-length', image.size)
  if (request.method === 'HEAD') return reply.send()
  const bytes = range ? range.end - range.start + 1 : image.size
  const isSmall = image.kind === 'variant' || bytes <= maxBufferedOriginalBytes
  if (!isSmall || !canBuffer(bytes)) {
    // One piece waits in the stream and one in the socket.
    return reply.send(await image.open(canBuffer(2 * pieceBytes.usual) ? pieceBytes.usual : pieceBytes.small, range))
  }
  const body = await image.read(range)
  if (!range) onBuffered(body)
  return reply.send(body)
}

const imageHeaders = (image: ServedImage, nowMs: number) => ({
  // The SVG writer writes UTF-8 (server/imaging/decoder/svg/write.ts).
  'content-type': image.mime === 'image/svg+xml' ? `${image.mime}; charset=utf-8` : image.mime,
  etag: `"${image.etag}"`,
  'cache-control': cacheControl(image.row.expires_at, nowMs, image.isProvisional),
  'content-disposition': inlineDisposition(image),
  'content-security-policy': contentPolicy,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
})

/** Caches may not store an image past its expiry. */
export function cacheControl(expiresAt: number, nowMs: number, isProvisional = false): string {
  const { cacheMs, provisionalCacheMs } = limits.variant
  const maxAgeMs = Math.max(0, Math.min(isProvisional ? provisionalCacheMs : cacheMs, expiresAt - nowMs))
  return `public, max-age=${Math.floor(maxAgeMs / 1000)}`
}

/** Both names (RFC 6266, section 4.3): ASCII for clients without percent-encoding (RFC 8187). */
function inlineDisposition({ fileName, savedName }: ServedImage): string {
  const encoded = encodeURIComponent(savedName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `inline; filename="${fileName}"; filename*=UTF-8''${encoded}`
}

/** Sends a file as a download that no cache may store. @throws {Failure} range_not_satisfiable */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: ServedFile): FastifyReply {
  const etag = `"${file.etag}"`
  reply.headers({
    'content-type': file.mime,
    etag,
    'cache-control': 'private, no-store',
    'content-disposition': `attachment; filename="${file.fileName}"`,
  })
  const range = setBodyHeaders(request, reply, file.size, etag)
  return request.method === 'HEAD' ? reply.send() : reply.send(createReadStream(file.path, range ?? {}))
}

/** Sends a download while it is made, of unknown length. */
export function sendStream(request: FastifyRequest, reply: FastifyReply, file: ServedStream): FastifyReply {
  reply.headers({
    'content-type': file.mime,
    'cache-control': 'private, no-store',
    'content-disposition': `attachment; filename="${file.fileName}"`,
  })
  if (request.method === 'HEAD') return reply.send()
  // One chunk is read ahead of the client.
  return reply.send(Readable.from(file.chunks(), { highWaterMark: 1 }))
}

/** Sets the length of the body. @returns the range of a 206. @throws {Failure} */
function setBodyHeaders(
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
  range.replace(/^bytes=-(\d{1,15})$/, (_, suffix: string) => `bytes=-${Math.min(Number(suffix), size)}`)

/** If-None-Match compares weakly (RFC 9110, section 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header
    .split(',')
    .some((candidate) => candidate.trim() === '*' || candidate.trim().replace(/^W\//, '') === etag)
}
