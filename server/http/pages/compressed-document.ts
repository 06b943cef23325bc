// A document in memory, with its compressed forms and validator.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

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

/** Adds the compressed forms. Until it is done, responses are sent uncompressed. */
export async function compressAssets(assets: Asset[]): Promise<void> {
  for (const asset of assets) {
    asset.br = await promisify(brotliCompress)(asset.plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
    asset.gzip = await promisify(gzip)(asset.plain, { level: 9 })
  }
}

/** @param status of an error page: it has no validator, so it is sent each time */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset, status = 200): FastifyReply {
  // Where other origins are allowed, the response depends on the origin too.
  const vary = [reply.getHeader('vary'), 'Accept, Accept-Encoding'].filter(Boolean).join(', ')
  reply.code(status).headers(asset.headers).header('vary', vary)
  if (status === 200) {
    reply.header('etag', asset.etag)
    if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
  }
  const accepts = String(request.headers['accept-encoding'] ?? '')
  const encoding =
    asset.br && /\bbr\b/.test(accepts) ? 'br' : asset.gzip && /\bgzip\b/.test(accepts) ? 'gzip' : undefined
  if (encoding) reply.header('content-encoding', encoding)
  const body = (encoding && asset[encoding]) ?? asset.plain
  reply.type(asset.type).header('content-length', body.length)
  return request.method === 'HEAD' ? reply.send() : reply.send(body)
}
