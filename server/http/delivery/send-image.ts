// Images and files over HTTP: validators, ranges, HEAD, and headers against hostile images.
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import { limits } from '../../../contract/plain/limits.ts'
import type { ByteRange } from '../../blobs/blob-store.ts'
import type { Config } from '../../config.ts'
import type { ServedFile } from '../../domain/backups/backups.ts'
import { Failure } from '../../domain/shared/failure.ts'
import type { ServedImage } from '../../domain/delivery/served-image.ts'
import type { ServedStream } from '../../domain/shared/served-stream.ts'
import type { CanBuffer } from '../guard/response-buffer-budget.ts'

/** Nothing in an image may run, load or navigate; SVGs may have inline styles and data: images. */
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
/** Larger originals are streamed. Variants are buffered as long as the budget allows. */
const maxBufferedOriginalBytes = 1024 * 1024
/** Bytes that a stream reads ahead of its client. The small size is not counted in the budget. */
const pieceBytes = { usual: 64 * 1024, small: 16 * 1024 }

interface SendOptions {
  config: Config
  nowMs: number
  /** Otherwise no cache may store the response. */
  isPublic: boolean
  canBuffer: CanBuffer
  /** Called with the whole image when it is sent from memory, before it is sent. */
  onBuffered: (bytes: Buffer) => void
  /** Called before an image with limited views is sent. @throws {Failure} image_gone */
  consumeView: () => Promise<void>
}

/** @throws {Failure} range_not_satisfiable, image_gone, image_not_found, busy */
export async function sendImage(
  request: FastifyRequest,
  reply: FastifyReply,
  image: ServedImage,
  { config, nowMs, isPublic, canBuffer, onBuffered, consumeView }: SendOptions,
): Promise<FastifyReply> {
  const headers = imageHeaders(image)
  if (isPublic && image.row.views_left !== null) {
    reply.headers({ ...headers, 'cache-control': uncached, 'content-length': image.size })
    return sendView(request, reply, image, { canBuffer, consumeView })
  }
  const etag = `"${image.etag}"`
  reply.headers({ ...headers, etag, ...(isPublic ? cacheHeaders(config, image, nowMs) : ownerHeaders) })
  // Where other origins are allowed, the response depends on the origin too.
  if (image.variesByAccept) reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '))
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    return reply.code(304).removeHeader('content-type').send()
  }
  if (isSentByProxy(config, image)) return reply.headers(sendfileHeader(config, image.path)).send()
  let range: ByteRange | undefined
  if (image.kind === 'original') range = setBodyHeaders(request, reply, image.size, etag)
  else reply.header('content-length', image.size)
  if (request.method === 'HEAD') return reply.send()
  const body = await loadBody(image, canBuffer, range)
  if (!range && Buffer.isBuffer(body)) onBuffered(body)
  return reply.send(body)
}

/** Each response is the whole image, without ranges and validators, and counts as a view. */
async function sendView(
  request: FastifyRequest,
  reply: FastifyReply,
  image: ServedImage,
  { canBuffer, consumeView }: Pick<SendOptions, 'canBuffer' | 'consumeView'>,
): Promise<FastifyReply> {
  if (request.method === 'HEAD') return reply.send()
  // Opened before: the last view deletes the bytes.
  const body = await loadBody(image, canBuffer)
  try {
    await consumeView()
  } catch (error) {
    if (body instanceof Readable) body.destroy()
    throw error
  }
  return reply.send(body)
}

/** Reads small images into memory, opens large ones. @throws {Failure} image_gone, image_not_found, busy */
function loadBody(image: ServedImage, canBuffer: CanBuffer, range?: ByteRange): Promise<Buffer | Readable> {
  const bytes = range ? range.end - range.start + 1 : image.size
  const isSmall = image.kind === 'variant' || bytes <= maxBufferedOriginalBytes
  if (isSmall && canBuffer(bytes)) return image.read(range)
  // One piece waits in the stream and one in the socket.
  return image.open(canBuffer(2 * pieceBytes.usual) ? pieceBytes.usual : pieceBytes.small, range)
}

/**
 * Whether the proxy in front sends the file (SENDFILE_HEADER). Only what would be streamed, and no
 * SVG: proxies drop our other headers, unless they are configured to repeat them.
 */
const isSentByProxy = (
  { SENDFILE_HEADER: header }: Config,
  image: ServedImage,
): image is ServedImage & { path: string } =>
  header !== 'off' &&
  image.path !== undefined &&
  image.size > maxBufferedOriginalBytes &&
  image.mime !== 'image/svg+xml'

/** nginx and Caddy map a path of their own to the folder of originals, others take the path of the file. */
const sendfileHeader = ({ SENDFILE_HEADER: header, DATA_DIR }: Config, path: string) => ({
  [header.toLowerCase()]: header === 'X-Accel-Redirect' ? `/originals/${path}` : join(DATA_DIR, 'originals', path),
})

const imageHeaders = (image: ServedImage) => ({
  // The SVG writer writes UTF-8 (server/imaging/decoder/svg/write.ts).
  'content-type': image.mime === 'image/svg+xml' ? `${image.mime}; charset=utf-8` : image.mime,
  'content-disposition': disposition('inline', image),
  'content-security-policy': contentPolicy,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
})

const uncached = 'private, no-store'
const ownerHeaders = { 'cache-control': uncached, 'cross-origin-resource-policy': 'same-origin' }

/** The tags by which caches purge an image: those of Fastly and Varnish, and of Cloudflare. */
function cacheHeaders(config: Config, { row, isProvisional }: ServedImage, nowMs: number) {
  const provisionalUntil = isProvisional ? nowMs + limits.variant.provisionalCacheMs : Infinity
  const expiresAt = Math.min(row.expires_at, provisionalUntil)
  const control = { 'cache-control': cacheControl(config, { ...row, expires_at: expiresAt }, nowMs) }
  return isUncached(row) ? control : { ...control, 'surrogate-key': row.id, 'cache-tag': row.id }
}

/** Whether no shared cache may have it. */
const isUncached = ({ visibility, named }: Pick<ServedImage['row'], 'visibility' | 'named'>) =>
  visibility === 'private' || named !== null

/**
 * Caches may not serve an image past its expiry, nor longer than limits.variant.cacheMs in all,
 * because they are not notified of deletions, unless they are purged.
 */
export function cacheControl(
  { PURGE_URL: url }: Pick<Config, 'PURGE_URL'>,
  row: Pick<ServedImage['row'], 'visibility' | 'expires_at' | 'named'>,
  nowMs: number,
): string {
  // The browser of who may view it stores it, and asks at each use: its key may have ended.
  if (isUncached(row)) return 'private, no-cache'
  const { expires_at: expiresAt } = row
  const { cacheMs, revalidateMs, purgedCacheMs } = limits.variant
  const leftS = Math.max(0, Math.floor((expiresAt - nowMs) / 1000))
  // nginx counts whole seconds, and serves a response in the second in which it becomes stale.
  const sharedLeftS = Math.max(0, leftS - 1)
  const maxAgeS = Math.min(leftS, (cacheMs - revalidateMs) / 1000)
  const sharedS = Math.min(sharedLeftS, ((url === undefined ? cacheMs : purgedCacheMs) - revalidateMs) / 1000)
  const staleS = Math.min(sharedLeftS - sharedS, revalidateMs / 1000)
  return `public, max-age=${maxAgeS}, s-maxage=${sharedS}, stale-while-revalidate=${staleS}`
}

/** Both names (RFC 6266, section 4.3): `fileName` in ASCII for clients without percent-encoding (RFC 8187). */
export function disposition(
  type: 'inline' | 'attachment',
  { fileName, savedName }: Pick<ServedImage, 'fileName' | 'savedName'>,
): string {
  const encoded = encodeURIComponent(savedName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${fileName}"; filename*=UTF-8''${encoded}`
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
