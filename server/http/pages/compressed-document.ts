// A document in memory, with its compressed forms and validator.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressed, encodingOf } from '../request/compressed-responses.ts'
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

const quality = 9

/** Adds the compressed forms. Until it is done, responses are sent uncompressed. */
export async function compressAssets(assets: Asset[]): Promise<void> {
  for (const asset of assets) {
    asset.br = await compressed.br(asset.plain, quality)
    asset.gzip = await compressed.gzip(asset.plain, quality)
  }
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
