// Downloads: files and streams that no cache may store, and the names under which clients save them.
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServedFile } from '../../domain/backups/backups.ts'
import type { ServedImage } from '../../domain/delivery/served-image.ts'
import type { ServedStream } from '../../domain/shared/served-stream.ts'
import { uncached } from './cache-headers.ts'
import { setBodyHeaders } from './ranges-and-etags.ts'

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
    'cache-control': uncached,
    'content-disposition': `attachment; filename="${file.fileName}"`,
  })
  const range = setBodyHeaders(request, reply, file.size, etag)
  return request.method === 'HEAD' ? reply.send() : reply.send(createReadStream(file.path, range ?? {}))
}

/** Sends a download while it is made, of unknown length. */
export function sendStream(request: FastifyRequest, reply: FastifyReply, file: ServedStream): FastifyReply {
  reply.headers({
    'content-type': file.mime,
    'cache-control': uncached,
    'content-disposition': `attachment; filename="${file.fileName}"`,
  })
  if (request.method === 'HEAD') return reply.send()
  // One chunk is read ahead of the client.
  return reply.send(Readable.from(file.chunks(), { highWaterMark: 1 }))
}
