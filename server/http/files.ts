// Pictures and files over HTTP: validators, ranges, HEAD, and the headers that keep a hostile picture harmless.
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import { limits } from '../../contract/limits.ts'
import type { ServedFile } from '../domain/database/backups.ts'
import { Failure } from '../domain/failure.ts'
import type { ServedOriginal } from '../domain/images/originals.ts'
import type { ServedImage } from '../domain/images/variants.ts'

/** Nothing in a picture may run, load or navigate; SVG styles itself with inline rules and data: images. */
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/** @param onWhole called with all bytes, when they are what is answered, before they are */
export async function sendImage(
  request: FastifyRequest,
  reply: FastifyReply,
  image: ServedImage | ServedOriginal,
  nowMs: number,
  onWhole: (bytes: Buffer) => void,
): Promise<FastifyReply> {
  const etag = `"${image.etag}"`
  reply.headers({
    'content-type': image.mime,
    etag,
    'cache-control': cacheControl(image.row.expires_at, nowMs),
    'content-disposition': inline(image),
    'content-security-policy': contentPolicy,
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  })
  if (matches(request.headers['if-none-match'], etag)) {
    if ('body' in image) letGo(image.body)
    return reply.code(304).removeHeader('content-type').send()
  }
  return 'body' in image
    ? sendVariant(request, reply, image, onWhole)
    : sendOriginal(request, reply, image, etag, onWhole)
}

/** Never longer than the picture lives. */
export function cacheControl(expiresAt: number, nowMs: number): string {
  const maxAgeMs = Math.max(0, Math.min(limits.variant.cacheMs, expiresAt - nowMs))
  return `public, max-age=${Math.floor(maxAgeMs / 1000)}`
}

/** Both names (RFC 6266, section 4.3): the ASCII one for who does not read the other, which is percent-encoded (RFC 8187). */
function inline({ fileName, savedName }: ServedImage | ServedOriginal): string {
  const encoded = encodeURIComponent(savedName).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `inline; filename="${fileName}"; filename*=UTF-8''${encoded}`
}

/** A file to be saved, never to be shown or kept on the way. @throws {Failure} range_not_satisfiable */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: ServedFile): FastifyReply {
  const etag = `"${file.etag}"`
  reply.headers({
    'content-type': file.mime,
    etag,
    'cache-control': 'private, no-store',
    'content-disposition': `attachment; filename="${file.fileName}"`,
  })
  const range = announceBody(request, reply, file.size, etag)
  return request.method === 'HEAD' ? reply.send() : reply.send(createReadStream(file.path, range ?? {}))
}

function sendVariant(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, size }: ServedImage,
  onWhole: (bytes: Buffer) => void,
): FastifyReply {
  reply.header('content-length', size)
  if (request.method === 'HEAD') {
    letGo(body)
    return reply.send()
  }
  if (Buffer.isBuffer(body)) onWhole(body)
  return reply.send(body)
}

function letGo(body: Buffer | Readable): void {
  if (!Buffer.isBuffer(body)) body.destroy()
}

/** @throws {Failure} range_not_satisfiable */
async function sendOriginal(
  request: FastifyRequest,
  reply: FastifyReply,
  image: ServedOriginal,
  etag: string,
  onWhole: (bytes: Buffer) => void,
): Promise<FastifyReply> {
  const range = announceBody(request, reply, image.size, etag)
  if (request.method === 'HEAD') return reply.send()
  const body = await image.read(range)
  if (!range && Buffer.isBuffer(body)) onWhole(body)
  return reply.send(body)
}

/** Says how long the body will be and which part of the whole it is. @throws {Failure} range_not_satisfiable */
function announceBody(request: FastifyRequest, reply: FastifyReply, size: number, etag: string) {
  reply.header('accept-ranges', 'bytes')
  const range = wantedRange(request, reply, size, etag)
  reply.header('content-length', range ? range.end - range.start + 1 : size)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  return range
}

/** One range is served; several, an unknown unit or a stale If-Range are answered with the whole (RFC 9110, section 14.2). */
function wantedRange(request: FastifyRequest, reply: FastifyReply, size: number, etag: string) {
  const { range, 'if-range': ifRange } = request.headers
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  const ranges = parseRange(size, withinSize(range, size))
  if (ranges === -1) {
    reply.header('content-range', `bytes */${size}`)
    throw new Failure('range_not_satisfiable')
  }
  return ranges !== -2 && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined
}

/** The last n bytes of a file that has fewer are all of it (RFC 9110, section 14.1.2); the parser refuses them. */
const withinSize = (range: string, size: number) =>
  range.replace(/^bytes=-(\d{1,15})$/, (_, suffix: string) => `bytes=-${Math.min(Number(suffix), size)}`)

/** If-None-Match compares weakly (RFC 9110, section 13.1.2). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header
    .split(',')
    .some((candidate) => candidate.trim() === '*' || candidate.trim().replace(/^W\//, '') === etag)
}
