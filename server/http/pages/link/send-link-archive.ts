// The ZIP file of a link over HTTP: whole or from where it broke off, within what a client may download.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { archivedRow, createArchive, imagesOfLink, partOf } from '../../../domain/links/link-archive.ts'
import { visitCookie, visitIn } from '../../../domain/links/link-cookies.ts'
import { openLink } from '../../../domain/links/open-link.ts'
import type { Deps } from '../../../domain/shared/deps.ts'
import { Failure } from '../../../domain/shared/failure.ts'
import { setBodyHeaders } from '../../delivery/ranges-and-etags.ts'
import { disposition } from '../../delivery/send-download.ts'
import { clientAddress } from '../../request/client-address.ts'
import type { createLinkDownloads } from './link-download-limits.ts'
import { textIn, visitOf } from './link-visit.ts'

/**
 * A resumed part is a visit and a download like any other, so that ranges dodge no limit: the visit's cookie saves it another
 * view, and it takes the place of the connection that broke off. The bytes before it are read again, for the checksums in the
 * directory, and count a quarter; what has started is never cut off by that.
 * @throws {Failure} link_not_found: also where visitors may not download; too_many_requests, busy, range_not_satisfiable
 */
export async function sendArchive(
  deps: Deps,
  startDownload: ReturnType<typeof createLinkDownloads>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const opened = await openLink(deps, { ...visitOf(deps, request), albumId: textIn(request.query, 'album'), limit: 1 })
  if (opened.kind === 'password' || opened.downloadBytes === null) throw new Failure('link_not_found')
  if (opened.setCookie !== undefined) reply.header('set-cookie', opened.setCookie)
  const isHead = request.method === 'HEAD'
  // Before the images are read: a visitor who may not download now costs nothing more.
  const download = isHead
    ? undefined
    : startDownload({
        address: clientAddress(request),
        of: `${opened.link.id} ${opened.album?.id ?? ''}`,
        visitor: {
          sent: visitCookie(deps, opened.link, request.headers.cookie),
          next: visitIn(opened.setCookie),
        },
        isResumed: request.headers.range !== undefined,
        onReplaced: () => reply.raw.destroy(),
      })
  if (download && reply.raw.closed) download.end()
  else if (download) reply.raw.once('close', download.end)
  const rows = []
  for await (const row of imagesOfLink(deps, opened.link, opened.album?.id ?? null)) {
    // Each download of an image with limited views would use one of them.
    if (row.views_left === null) rows.push(archivedRow(row))
  }
  const { size, etag, chunks } = createArchive(deps, rows)
  reply.headers({
    'content-type': 'application/zip',
    etag,
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
    'content-disposition': disposition('attachment', archiveNames(opened.title || 'images')),
  })
  const range = setBodyHeaders(request, reply, size, etag) ?? { start: 0, end: size - 1 }
  if (!download) return reply.send()
  // One chunk is read ahead of the client.
  return reply.send(Readable.from(partOf(download.counted(chunks(), range.start), range), { highWaterMark: 1 }))
}

function archiveNames(title: string): { fileName: string; savedName: string } {
  const name = /^.{0,100}/su.exec(title.replace(/[\\/:*?"<>|]/g, '_'))?.[0] ?? ''
  return { fileName: `${name.replace(/[^\w .()-]/g, '_')}.zip`, savedName: `${name}.zip` }
}
