// A document in memory, with its compressed forms and validator, and the compression of pages that are written per request.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addVary } from '../request/vary.ts'

export interface Asset {
  type: string
  plain: Buffer
  br?: Buffer
  gzip?: Buffer
  etag: string
  headers: Record<string, string>
}

export const createAsset = (type: string, plain: Buffer, headers: Record<string, string>): Asset => ({
  type,
  plain,
  etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`,
  headers,
})

type Encoding = 'br' | 'gzip'

/** @param quality of Brotli, from 0 to 11 */
const compressed: Record<Encoding, (plain: Buffer, quality: number) => Promise<Buffer>> = {
  br: (plain, quality) =>
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
  gzip: (plain, quality) => promisify(gzip)(plain, { level: Math.min(quality, 9) }),
}
const storedQuality = 9
/** Of a page for one request: most of the gain, in a tenth of the time. */
const writtenQuality = 5

/** Adds the compressed forms. Until it is done, responses are sent uncompressed. */
export async function compressAssets(assets: Asset[]): Promise<void> {
  for (const asset of assets) {
    asset.br = await compressed.br(asset.plain, storedQuality)
    asset.gzip = await compressed.gzip(asset.plain, storedQuality)
  }
}

/** Browsers name four. */
const maxNamed = 20
/** With a quality of 0 it is refused (RFC 9110 section 12.5.3). */
const accepting: Record<Encoding, RegExp> = {
  br: /^\s*br\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i,
  gzip: /^\s*gzip\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i,
}

/** The smallest form that the client takes, of those there are; undefined: only the plain one. */
function encodingOf({ headers }: FastifyRequest, isThere = (_: Encoding) => true): Encoding | undefined {
  const given = String(headers['accept-encoding'] ?? '').split(',', maxNamed)
  const takes = (name: Encoding) => given.some((part) => accepting[name].test(part))
  return (['br', 'gzip'] as const).find((name) => isThere(name) && takes(name))
}

/**
 * Sends a text that is written for this request. It may have texts of users, but no secret: the length of the compressed
 * form would tell it (BREACH). Tokens of delete and unsubscribe links are in the address only.
 */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  const plain = Buffer.from(text)
  const encoding = encodingOf(request)
  addVary(reply, 'Accept-Encoding')
  if (encoding === undefined) return reply.send(plain)
  const body = await compressed[encoding](plain, writtenQuality)
  return reply.header('content-encoding', encoding).send(body)
}

/** @param status of an error page: it has no validator, so it is sent each time */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset, status = 200): FastifyReply {
  // Where other origins are allowed, the response depends on the origin too.
  addVary(reply, 'Accept, Accept-Encoding')
  reply.code(status).headers(asset.headers)
  if (status === 200) {
    reply.header('etag', asset.etag)
    if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
  }
  const encoding = encodingOf(request, (name) => asset[name] !== undefined)
  if (encoding) reply.header('content-encoding', encoding)
  const body = (encoding && asset[encoding]) ?? asset.plain
  reply.type(asset.type).header('content-length', body.length)
  return request.method === 'HEAD' ? reply.send() : reply.send(body)
}
