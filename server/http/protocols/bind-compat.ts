// Binds the protocols of other hosts to the functions of ours: who calls, what may be uploaded, and all
// limits are as for our own endpoints; only the bodies differ (docs/decisions/0037).
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { compatApi } from '../../../contract/compat/api.ts'
import { compatAliases, type CompatName, compatRoutes } from '../../../contract/compat/routes.ts'
import { type Endpoint, statusOf } from '../../../contract/endpoints/endpoint.ts'
import type { Caller } from '../../domain/shared/caller.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { uploadImages } from '../../domain/uploads/upload-several.ts'
import { authorize, type CallerContext, callerOf } from '../request/callers.ts'
import { baseUrl, clientAddress } from '../request/client-address.ts'
import { prepareFailure, toFailure } from '../request/errors.ts'
import { assertUnencodedBody } from '../guard/broken-requests.ts'
import { noteIds } from '../request/log-context.ts'
import { imageBaseUrl } from '../request/media-origin.ts'
import { acceptUnreadBodies, receiveUpload } from '../uploads/receive-upload.ts'
import { readSmallBody } from '../uploads/bodies-without-files.ts'
import { validate } from '../request/validate.ts'
import { chevereto, cheveretoUpload, imgbbUpload } from './chevereto.ts'
import {
  type CallHandler,
  deleteLinkOf,
  type CompatProtocol,
  type Fields,
  textIn,
  type UploadHandler,
} from './compat-protocol.ts'
import * as imgurAlbums from './imgur-albums.ts'
import * as imgur from './imgur.ts'
import * as lskyAlbums from './lsky-albums.ts'
import * as lsky from './lsky.ts'
import * as picgo from './picgo.ts'
import { slink, slinkUpload } from './slink.ts'
import * as ziplineFolders from './zipline-folders.ts'
import { isZipline, zipline, ziplineUpload } from './zipline.ts'

interface CompatUpload {
  protocol: CompatProtocol
  upload: UploadHandler
}

/** With `takesDeleteHash` the delete hash of an image authorizes in place of the caller. */
type Bound = CompatUpload | { protocol: CompatProtocol; call: CallHandler; takesDeleteHash?: true }

const bindings: Record<CompatName, Bound> = {
  cheveretoUpload: { protocol: chevereto, upload: cheveretoUpload },
  imgbbUpload: { protocol: chevereto, upload: imgbbUpload },
  imgurUpload: { protocol: imgur.imgur, upload: imgur.imgurUpload },
  imgurGetImage: { protocol: imgur.imgur, call: imgur.imgurGetImage, takesDeleteHash: true },
  imgurDeleteImage: { protocol: imgur.imgur, call: imgur.imgurDeleteImage, takesDeleteHash: true },
  imgurGetCredits: { protocol: imgur.imgur, call: imgur.imgurGetCredits },
  imgurCreateAlbum: { protocol: imgur.imgur, call: imgurAlbums.imgurCreateAlbum },
  imgurGetAlbum: { protocol: imgur.imgur, call: imgurAlbums.imgurGetAlbum },
  imgurListAlbumImages: { protocol: imgur.imgur, call: imgurAlbums.imgurListAlbumImages },
  imgurUpdateAlbum: { protocol: imgur.imgur, call: imgurAlbums.imgurUpdateAlbum },
  imgurSetAlbum: { protocol: imgur.imgur, call: imgurAlbums.imgurUpdateAlbum },
  imgurAddToAlbum: { protocol: imgur.imgur, call: imgurAlbums.imgurAddToAlbum },
  imgurRemoveFromAlbum: { protocol: imgur.imgur, call: imgurAlbums.imgurRemoveFromAlbum },
  imgurDeleteAlbum: { protocol: imgur.imgur, call: imgurAlbums.imgurDeleteAlbum },
  imgurListAlbums: { protocol: imgur.imgur, call: imgurAlbums.imgurListAlbums },
  imgurListAlbumIds: { protocol: imgur.imgur, call: imgurAlbums.imgurListAlbumIds },
  imgurCountAlbums: { protocol: imgur.imgur, call: imgurAlbums.imgurCountAlbums },
  lskyCreateToken: { protocol: lsky.lsky, call: lsky.lskyCreateToken },
  lskyUpload: { protocol: lsky.lsky, upload: lsky.lskyUpload },
  lskyListImages: { protocol: lsky.lsky, call: lsky.lskyListImages },
  lskyDeleteImage: { protocol: lsky.lsky, call: lsky.lskyDeleteImage },
  lskyGetProfile: { protocol: lsky.lsky, call: lsky.lskyGetProfile },
  lskyListStrategies: { protocol: lsky.lsky, call: lsky.lskyListStrategies },
  lskyListAlbums: { protocol: lsky.lsky, call: lskyAlbums.lskyListAlbums },
  lskyDeleteAlbum: { protocol: lsky.lsky, call: lskyAlbums.lskyDeleteAlbum },
  picgoUpload: { protocol: picgo.picgo, upload: picgo.picgoUpload },
  picgoDelete: { protocol: picgo.picgo, call: picgo.picgoDelete },
  picgoHeartbeat: { protocol: picgo.picgo, call: picgo.picgoHeartbeat },
  slinkUpload: { protocol: slink, upload: slinkUpload },
  ziplineListFolders: { protocol: zipline, call: ziplineFolders.ziplineListFolders },
  ziplineCreateFolder: { protocol: zipline, call: ziplineFolders.ziplineCreateFolder },
  ziplineGetFolder: { protocol: zipline, call: ziplineFolders.ziplineGetFolder },
  ziplineUpdateFolder: { protocol: zipline, call: ziplineFolders.ziplineUpdateFolder },
  ziplineAddToFolder: { protocol: zipline, call: ziplineFolders.ziplineAddToFolder },
  ziplineDeleteFolder: { protocol: zipline, call: ziplineFolders.ziplineDeleteFolder },
}

export function bindCompat(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => {
    acceptUnreadBodies(scope)
    for (const name of Object.keys(compatRoutes) as CompatName[]) {
      const [method = '', path = ''] = compatRoutes[name].split(' ')
      for (const url of [path, ...(compatAliases[name] ?? [])]) {
        scope.route({
          method: method === 'GET' ? ['GET', 'HEAD'] : method,
          url: url.replace(/\{(\w+)\}/g, ':$1'),
          config: { isUpload: 'upload' in bindings[name] },
          handler: handlerOf(deps, compatApi[name], bindings[name]),
          errorHandler: (error, request, reply) => sendFailure(bindings[name].protocol, error, request, reply),
        })
      }
    }
    // Imgur's clients open it in a browser.
    scope.get('/delete/:hash', async (request, reply) => {
      const link = deleteLinkOf((request.params as { hash: string }).hash)
      if (!link) throw new Failure('image_not_found')
      return reply.header('cache-control', 'no-store').redirect(`/d/${link.id}/${link.token}`, 302)
    })
  })
}

function handlerOf(deps: Deps, endpoint: Endpoint, bound: Bound) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const context = { deps, request, reply, endpoint }
    const caller = await callerOf(context)
    if ('upload' in bound) return receiveCompatUpload(context, caller, bound)
    const params = request.params as Record<string, string>
    const isAuthorized = bound.takesDeleteHash === true && deleteLinkOf(params['hash']) !== undefined
    if (!isAuthorized) await authorize(context, caller)
    noteIds(request, 'images', { id: params['key'] ?? (bound.takesDeleteHash && params['hash']?.split('.')[0]) })
    const read = bound.protocol.readFields ?? ((fields: Fields) => fields)
    const body = await bound.call({
      deps,
      request,
      reply,
      caller,
      address: clientAddress(request),
      baseUrl: imageBaseUrl(deps.config, request),
      siteUrl: baseUrl(deps.config, request),
      params,
      query: (validate(endpoint.query, read(request.query as Fields)) ?? {}) as Fields,
      body: endpoint.body ? (validate(endpoint.body, read(await readSmallBody(request))) as Fields) : {},
    })
    return send(bound.protocol, endpoint, reply, body)
  }
}

/** The protocol of a client that sends its upload to the path of our own. */
export const compatUploadOf = (request: FastifyRequest): CompatUpload | undefined =>
  isZipline(request) ? { protocol: zipline, upload: ziplineUpload } : undefined

/** Receives and stores the images of a request, and responds as the protocol does. */
export async function receiveCompatUpload(
  call: CallerContext,
  sender: Caller,
  { protocol, upload }: CompatUpload,
): Promise<FastifyReply> {
  const { deps, request, reply, endpoint } = call
  assertUnencodedBody(request, 'multipart/form-data')
  const options = { key: undefined, acceptsAnyBody: true, maxFiles: upload.maxFiles }
  await receiveUpload(call, sender, options, async ({ caller, files, space, fields: sent }) => {
    const fields = { ...(request.query as Fields), ...sent }
    const given = { deps, request, reply, fields }
    const name = textIn(fields, ...upload.nameFields)
    const images = await uploadImages(deps, {
      caller,
      address: clientAddress(request),
      baseUrl: imageBaseUrl(deps.config, request),
      siteUrl: baseUrl(deps.config, request),
      files: files.map((file) => (name === undefined ? file : { ...file, name })),
      lifetimeMs: upload.lifetimeMs?.(given),
      maxViews: upload.maxViews?.(given),
      tags: upload.tags?.(given),
      album: await upload.album?.({ ...given, caller }),
      guestAlbum: upload.guestAlbum?.({ ...given, caller }),
      reusesSameBytes: upload.reusesSameBytes,
    })
    space.release()
    noteIds(request, 'images', images[0])
    await send(protocol, endpoint, reply, upload.respond(images, given))
  })
  return reply
}

/** The body is `reply` itself when the protocol has sent it. */
function send({ rateHeaders }: CompatProtocol, endpoint: Endpoint, reply: FastifyReply, body: unknown): FastifyReply {
  if (body === reply) return reply
  setRateHeaders(rateHeaders, reply)
  return reply.code(statusOf(endpoint)).header('cache-control', 'no-store').send(body)
}

export function sendFailure(
  protocol: CompatProtocol,
  error: FastifyError | Failure,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const known = toFailure(error, request)
  const failure = prepareFailure(request, reply, known)
  setRateHeaders(protocol.rateHeaders, reply)
  reply.type('application/json; charset=utf-8')
  void reply.send(protocol.failure(failure, request, reply))
}

function setRateHeaders(names: CompatProtocol['rateHeaders'], reply: FastifyReply): void {
  const [limit, remaining] = [reply.getHeader('ratelimit-limit'), reply.getHeader('ratelimit-remaining')]
  if (limit === undefined || remaining === undefined) return
  for (const name of names?.limit ?? []) reply.header(name, limit)
  for (const name of names?.remaining ?? []) reply.header(name, remaining)
}
