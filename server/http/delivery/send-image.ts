// An image over HTTP: from memory or as a stream, HEAD, limited views, and headers against hostile images.
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../../blobs/blob-store.ts'
import type { Config } from '../../config.ts'
import type { ServedImage } from '../../domain/delivery/served-image.ts'
import type { CanBuffer } from '../guard/response-buffer-budget.ts'
import { cacheHeaders, uncached } from './cache-headers.ts'
import { matchesEtag, setBodyHeaders } from './ranges-and-etags.ts'
import { disposition } from './send-download.ts'

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

const ownerHeaders = { 'cache-control': uncached, 'cross-origin-resource-policy': 'same-origin' }
