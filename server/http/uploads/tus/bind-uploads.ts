// Resumable uploads at /api/uploads, by the library of the tus protocol (docs/decisions/0059). The library
// knows offsets and bytes; who calls, what may be uploaded and all limits are as for /api/upload.
import { Metadata } from '@tus/server'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../../contract/endpoints/endpoint.ts'
import { resumableUploads, uploadMetadata } from '../../../../contract/endpoints/resumable-uploads.ts'
import type { Input } from '../../../../contract/endpoints/api.ts'
import type { Caller } from '../../../domain/shared/caller.ts'
import type { Deps } from '../../../domain/shared/deps.ts'
import { Failure } from '../../../domain/shared/failure.ts'
import {
  findStartedUpload,
  finishUpload,
  receivedBytes,
  receivedBytesOfStarted,
  requireUpload,
  type StartedUpload,
  startUpload,
} from '../../../domain/uploads/resumable-uploads.ts'
import type { UploadRecord } from '../../../domain/shared/ports.ts'
import { authorize, type CallerContext, callerOf } from '../../request/callers.ts'
import { baseUrl, clientAddress, isForeignOrigin } from '../../request/client-address.ts'
import { prepareFailure, sendFailure, toFailure } from '../../request/errors.ts'
import { assertUnencodedBody } from '../../guard/broken-requests.ts'
import { noteIds } from '../../request/log-context.ts'
import { imageBaseUrl } from '../../request/media-origin.ts'
import { limitGuest } from '../receive-upload.ts'
import { validate } from '../../request/validate.ts'
import { endOf, openTus, protocolVersion, assertTusVersion, type Tus } from './tus-server.ts'

const path = '/api/uploads'
const bytesType = 'application/offset+octet-stream'

export function bindUploads(app: FastifyInstance, deps: Deps): void {
  const tus = openTus(deps, path)
  const context = (request: FastifyRequest, reply: FastifyReply, endpoint: Endpoint) => ({
    deps,
    request,
    reply,
    endpoint,
  })
  const { createUpload, continueUpload, getUpload, deleteUpload } = resumableUploads
  app.register(async (scope) => {
    // The library reads the bodies.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.setErrorHandler(sendUploadFailure)
    const at = { one: `${path}/:id`, all: path }
    const config = { isUpload: true }
    scope.post(at.all, { config }, (...given) => create(tus, context(...given, createUpload)))
    scope.patch(at.one, { config }, (...given) => append(tus, context(...given, continueUpload)))
    scope.head(at.one, (...given) => sendOffset(tus, context(...given, continueUpload)))
    scope.get(at.one, (...given) => sendFinished(context(...given, getUpload)))
    scope.delete(at.one, (...given) => endUpload(tus, context(...given, deleteUpload)))
    // Clients ask with OPTIONS what the server can do; a browser's preflight is answered before.
    const any = { config: { cors: { preflightContinue: true, strictPreflight: false } } }
    for (const url of [at.all, at.one])
      scope.options(url, any, (...given) => tus.respond(context(...given, createUpload)))
  })
}

async function create(tus: Tus, context: CallerContext): Promise<FastifyReply> {
  const { deps, request, reply } = context
  const caller = await callerOf(context)
  await authorizeSender(context, caller)
  assertUnencodedBody(request, bytesType)
  assertTusVersion(request)
  const headers = validate(context.endpoint.headers, request.headers) as Input<'createUpload'>['headers']
  const address = clientAddress(request)
  const key = headers['idempotency-key']
  const startedAt = deps.now()
  const repeated = findStartedUpload(deps, { caller, address, key, bytes: Number(headers['upload-length']) })
  if (repeated && Metadata.stringify(repeated.metadata) === (headers['upload-metadata'] ?? ''))
    return sendStarted(context, caller, repeated)
  const image = await limitGuest(deps, caller, { address }, async () => {
    let started: StartedUpload | undefined
    try {
      const { response, offset } = await tus
        .handle(context, async ({ id, size = 0, metadata = {} }) => {
          const body = fieldsOf(metadata)
          started = await startUpload(deps, { caller, address, id, bytes: size, metadata, body, key })
        })
        .catch(async (error: unknown) => {
          await started?.cancel()
          throw error
        })
      const record = started?.record
      // Its client has learned no address, and has no key to ask for it.
      if (request.raw.destroyed && !request.raw.complete && key === undefined) await started?.cancel()
      tus.copyHeaders(reply, response, record)
      reply.code(201).header('cache-control', 'no-store')
      if (!record || offset < record.bytes) return undefined
      await authorizeAgain(context, record, startedAt)
      return await finish(context, caller, record)
    } finally {
      await started?.endUse()
    }
  })
  return reply.send(image)
}

/** What a start has returned whose response was lost; the bytes that come with the repetition are not needed. */
async function sendStarted(context: CallerContext, caller: Caller, record: UploadRecord): Promise<FastifyReply> {
  const { deps, request, reply } = context
  request.raw.resume()
  const offset = await receivedBytesOfStarted(deps, record)
  reply.headers({ 'tus-resumable': protocolVersion, location: `${path}/${record.id}`, 'upload-offset': offset })
  reply.code(201).headers({ 'upload-expires': endOf(record), 'cache-control': 'no-store' })
  if (offset < record.bytes) return reply.send()
  const image = await limitGuest(deps, caller, { address: clientAddress(request) }, () =>
    finish(context, caller, record),
  )
  return reply.send(image)
}

async function append(tus: Tus, context: CallerContext): Promise<FastifyReply> {
  const { deps, request, reply } = context
  const [caller, record] = await admit(context)
  assertUnencodedBody(request, bytesType)
  assertTusVersion(request)
  const startedAt = deps.now()
  return limitGuest(deps, caller, { address: clientAddress(request) }, async () => {
    // The response to the last byte was lost.
    const isAtEnd = request.headers['upload-offset'] === String(record.bytes)
    if (isAtEnd && (await receivedBytes(deps, record)) === record.bytes) return sendImage(context, caller, record)
    const { response, offset } = await deps.uploadRecords.use(record.id, () => tus.handle(context))
    tus.copyHeaders(reply, response, record)
    if (offset < record.bytes) return reply.code(204).header('cache-control', 'no-store').send()
    await authorizeAgain(context, record, startedAt)
    return sendImage(context, caller, record)
  })
}

/** HEAD: the offset. Stores the image of a complete upload first: clients take the upload for finished then. */
async function sendOffset(tus: Tus, context: CallerContext): Promise<FastifyReply> {
  const { deps, request, reply } = context
  const [caller, record] = await admit(context)
  const { response, offset } = await tus.handle(context)
  if (offset === record.bytes)
    await limitGuest(deps, caller, { address: clientAddress(request) }, () => finish(context, caller, record))
  tus.copyHeaders(reply, response, record)
  return reply.code(200).header('cache-control', 'no-store').send()
}

async function sendFinished(context: CallerContext): Promise<FastifyReply> {
  const { deps, request } = context
  const [caller, record] = await admit(context)
  const received = await receivedBytes(deps, record)
  if (received < record.bytes) throw new Failure('upload_incomplete', { received, bytes: record.bytes })
  return limitGuest(deps, caller, { address: clientAddress(request) }, () => sendImage(context, caller, record))
}

async function sendImage(context: CallerContext, caller: Caller, record: UploadRecord): Promise<FastifyReply> {
  const image = await finish(context, caller, record)
  context.request.raw.resume()
  const headers = { 'tus-resumable': protocolVersion, 'upload-offset': record.bytes, 'cache-control': 'no-store' }
  return context.reply.code(200).headers(headers).send(image)
}

async function endUpload(tus: Tus, context: CallerContext): Promise<FastifyReply> {
  await admit(context)
  const { response } = await tus.handle(context)
  tus.copyHeaders(context.reply, response)
  return context.reply.code(204).header('cache-control', 'no-store').send()
}

const longBodyMs = 60_000

/**
 * A body may take hours: meanwhile its account may have been suspended, its session ended, its network blocked.
 * @throws {Failure} those of admit
 */
async function authorizeAgain(context: CallerContext, { id }: UploadRecord, startedAt: number): Promise<void> {
  if (context.deps.now() - startedAt < longBodyMs) return
  await admit({ ...context, endpoint: resumableUploads.continueUpload }, id)
}

/** @throws {Failure} those of callerOf, authorizeSender and requireUpload */
async function admit(context: CallerContext, startedId?: string): Promise<[Caller, UploadRecord]> {
  const { deps, request } = context
  const caller = await callerOf(context)
  await authorizeSender(context, caller)
  const id = startedId ?? (request.params as { id: string }).id
  return [caller, requireUpload(deps, id, caller)]
}

/** @throws {Failure} those of authorize; foreign_origin, guest_uploads_off */
async function authorizeSender(context: CallerContext, caller: Caller): Promise<void> {
  const { deps, request } = context
  await authorize(context, caller)
  if (caller.kind !== 'guest') return
  // A page of another site must not upload with the address of its visitor.
  if (isForeignOrigin(deps.config, request)) throw new Failure('foreign_origin')
  if (!deps.config.GUEST_UPLOADS) throw new Failure('guest_uploads_off')
}

async function finish({ deps, request }: CallerContext, caller: Caller, record: UploadRecord) {
  const { metadata } = record
  const image = await finishUpload(deps, {
    record,
    caller,
    body: fieldsOf(metadata),
    name: metadata['filename'] ?? metadata['name'] ?? '',
    baseUrl: imageBaseUrl(deps.config, request),
    siteUrl: baseUrl(deps.config, request),
  })
  noteIds(request, 'images', image)
  return image
}

/** Clients send other fields too, also without values. @throws {Failure} invalid_input */
function fieldsOf(metadata: UploadRecord['metadata']): Input<'uploadImage'>['body'] {
  const given = Object.entries(metadata).filter(([, value]) => value !== null && value !== '')
  return validate(uploadMetadata, Object.fromEntries(given)) as Input<'uploadImage'>['body']
}

/**
 * HEAD: clients take most refusals of it for the end of the upload, and send all bytes again; 423 (Locked) has
 * them come back.
 */
function sendUploadFailure(error: FastifyError | Failure, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('tus-resumable', protocolVersion)
  const failure = toFailure(error, request)
  if (error instanceof Failure && error.code === 'tus_version') reply.header('tus-version', protocolVersion)
  if (request.method !== 'HEAD') return sendFailure(request, reply, failure)
  const { status } = prepareFailure(request, reply, failure)
  return reply.code(status >= 500 || status === 429 ? 423 : status).send()
}
