// Resumable uploads at /api/uploads, by the library of the tus protocol (docs/decisions/0059). The library
// knows offsets and bytes; who calls, what may be uploaded and all limits are as for /api/upload.
import { Metadata } from '@tus/server'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../../contract/endpoints/endpoint.ts'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { resumableUploads, uploadMetadata } from '../../../../contract/endpoints/resumable-uploads.ts'
import type { Input } from '../../../../contract/endpoints/api.ts'
import { ResourceStack } from '../../../concurrency/resource-stack.ts'
import type { Caller, RequestOrigin } from '../../../domain/shared/caller.ts'
import type { Deps } from '../../../domain/shared/deps.ts'
import { Failure } from '../../../domain/shared/failure.ts'
import { uploadSlot } from '../../../domain/uploads/guest-slots.ts'
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
import { baseUrl, clientAddress } from '../../request/client-address.ts'
import { isForeignOrigin } from '../../request/cross-origin.ts'
import { prepareFailure, sendFailure, toFailure } from '../../request/errors.ts'
import { assertUnencodedBody } from '../../guard/broken-requests.ts'
import { noteIds } from '../../request/log-context.ts'
import { imageBaseUrl } from '../../request/media-origin.ts'
import { validate } from '../../request/validate.ts'
import { endOf, openTus, protocolVersion, assertTusVersion, type Tus } from './tus-server.ts'

const path = '/api/uploads'
const bytesType = 'application/offset+octet-stream'

export function bindResumableUploads(app: FastifyInstance, deps: Deps): void {
  const tus = openTus(deps, path)
  const by =
    (endpoint: Endpoint, respond: (context: CallerContext, tus: Tus) => Promise<FastifyReply>) =>
    (request: FastifyRequest, reply: FastifyReply) =>
      respond({ deps, request, reply, endpoint }, tus)
  const { createUpload, continueUpload, getUpload, deleteUpload } = resumableUploads
  app.register(async (scope) => {
    // The library reads the bodies.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.setErrorHandler(sendUploadFailure)
    const config = { isUpload: true }
    const one = `${path}/:id`
    scope.post(path, { config }, by(createUpload, create))
    scope.patch(one, { config }, by(continueUpload, append))
    scope.head(one, by(continueUpload, sendOffset))
    scope.get(one, by(getUpload, sendFinished))
    scope.delete(one, by(deleteUpload, endUpload))
    // Clients ask with OPTIONS what the server can do; a browser's preflight is answered before.
    const any = { config: { cors: { preflightContinue: true, strictPreflight: false } } }
    const sendOptions = by(createUpload, tus.respond)
    for (const url of [path, one]) scope.options(url, any, (...given) => sendOptions(...given))
  })
}

async function create(context: CallerContext, tus: Tus): Promise<FastifyReply> {
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
  return reply.send(await start(context, tus, { caller, address, key, startedAt }))
}

interface Start extends RequestOrigin<Caller> {
  key: string | undefined
  startedAt: number
}

/** @returns the image if the first request has all its bytes */
async function start(context: CallerContext, tus: Tus, { caller, address, key, startedAt }: Start) {
  const { deps, request, reply } = context
  await using held = new ResourceStack()
  held.use(await uploadSlot(deps, caller, address))
  let started: StartedUpload | undefined
  const { response, offset } = await tus
    .handle(context, async ({ id, size = 0, metadata = {} }) => {
      const body = fieldsOf(metadata)
      started = held.use(await startUpload(deps, { caller, address, id, bytes: size, metadata, body, key }))
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
}

/** What a start has returned whose response was lost; the bytes that come with the repetition are not needed. */
async function sendStarted(context: CallerContext, caller: Caller, record: UploadRecord): Promise<FastifyReply> {
  const { deps, request, reply } = context
  request.raw.resume()
  const offset = await receivedBytesOfStarted(deps, record)
  reply.headers({ 'tus-resumable': protocolVersion, location: `${path}/${record.id}`, 'upload-offset': offset })
  reply.code(201).headers({ 'upload-expires': endOf(record), 'cache-control': 'no-store' })
  if (offset < record.bytes) return reply.send()
  return reply.send(await finishInSlot(context, caller, record))
}

async function append(context: CallerContext, tus: Tus): Promise<FastifyReply> {
  const { reply } = context
  const [caller, record] = await findOwnUpload(context)
  assertUnencodedBody(context.request, bytesType)
  assertTusVersion(context.request)
  const image = await receiveBytes(context, tus, caller, record)
  return image ? sendImage(context, record, image) : reply.code(204).header('cache-control', 'no-store').send()
}

/** @returns the image if these were the last bytes */
async function receiveBytes(context: CallerContext, tus: Tus, caller: Caller, record: UploadRecord) {
  const { deps, request, reply } = context
  const startedAt = deps.now()
  using _slot = await uploadSlot(deps, caller, clientAddress(request))
  // Otherwise the response to the last byte was lost.
  const isIncomplete =
    request.headers['upload-offset'] !== String(record.bytes) || (await receivedBytes(deps, record)) < record.bytes
  if (isIncomplete) {
    const { response, offset } = await deps.uploadRecords.use(record.id, () => tus.handle(context))
    tus.copyHeaders(reply, response, record)
    if (offset < record.bytes) return undefined
    await authorizeAgain(context, record, startedAt)
  }
  return await finish(context, caller, record)
}

/** HEAD: the offset. Stores the image of a complete upload first: clients take the upload for finished then. */
async function sendOffset(context: CallerContext, tus: Tus): Promise<FastifyReply> {
  const { reply } = context
  const [caller, record] = await findOwnUpload(context)
  const { response, offset } = await tus.handle(context)
  if (offset === record.bytes) await finishInSlot(context, caller, record)
  tus.copyHeaders(reply, response, record)
  return reply.code(200).header('cache-control', 'no-store').send()
}

async function sendFinished(context: CallerContext): Promise<FastifyReply> {
  const { deps } = context
  const [caller, record] = await findOwnUpload(context)
  const received = await receivedBytes(deps, record)
  if (received < record.bytes) throw new Failure('upload_incomplete', { received, bytes: record.bytes })
  return sendImage(context, record, await finishInSlot(context, caller, record))
}

function sendImage({ request, reply }: CallerContext, record: UploadRecord, image: UploadedImage): FastifyReply {
  request.raw.resume()
  const headers = { 'tus-resumable': protocolVersion, 'upload-offset': record.bytes, 'cache-control': 'no-store' }
  return reply.code(200).headers(headers).send(image)
}

async function endUpload(context: CallerContext, tus: Tus): Promise<FastifyReply> {
  await findOwnUpload(context)
  const { response } = await tus.handle(context)
  tus.copyHeaders(context.reply, response)
  return context.reply.code(204).header('cache-control', 'no-store').send()
}

const longBodyMs = 60_000

/**
 * A body may take hours: meanwhile its account may have been suspended, its session ended, its network blocked.
 * @throws {Failure} those of findOwnUpload
 */
async function authorizeAgain(context: CallerContext, { id }: UploadRecord, startedAt: number): Promise<void> {
  if (context.deps.now() - startedAt < longBodyMs) return
  await findOwnUpload({ ...context, endpoint: resumableUploads.continueUpload }, id)
}

/** @throws {Failure} those of callerOf, authorizeSender and requireUpload */
async function findOwnUpload(context: CallerContext, startedId?: string): Promise<[Caller, UploadRecord]> {
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

/** For a request that brings no bytes. */
async function finishInSlot(context: CallerContext, caller: Caller, record: UploadRecord) {
  using _slot = await uploadSlot(context.deps, caller, clientAddress(context.request))
  return await finish(context, caller, record)
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
