// Data for the log line of a request: ids and the failure code, never a name, an email or a body.
import type { FastifyRequest } from 'fastify'
import type { Category } from '../../../contract/endpoints/endpoint.ts'
import type { FailureCode } from '../../../contract/plain/failures.ts'
import type { Caller } from '../../domain/shared/caller.ts'

export interface LogContext {
  /** The account; of a login or registration the resulting one. */
  user?: string
  /** The API key that authenticated the user. */
  key?: string
  /** The ids of the image or backup that the request is about. */
  image?: string
  backup?: string
  /** The code of the refusal. */
  code?: FailureCode
}

const contextOf = new WeakMap<FastifyRequest, LogContext>()

export function noteCaller(request: FastifyRequest, caller: Caller): void {
  if (caller.kind === 'guest') return
  note(request, { user: caller.account.id, ...('apiKeyId' in caller.by ? { key: caller.by.apiKeyId } : {}) })
}

/** @param result of a public endpoint: of a login or registration it contains the user */
export function noteUserIn(request: FastifyRequest, result: unknown): void {
  const { user } = result as { user?: { id?: string } }
  if (user?.id !== undefined) note(request, { user: user.id })
}

/**
 * Notes the image of a request about images, and the backup of one about backups.
 * @param found its path parameters or its result
 */
export function noteIds(request: FastifyRequest, category: Category, found: unknown): void {
  if (typeof found !== 'object' || found === null) return
  const { id, file_name: fileName, backupId, etag } = found as Record<string, unknown>
  const image = category === 'images' ? (idIn(id) ?? idIn(fileName)) : undefined
  if (image !== undefined) note(request, { image })
  const isAboutBackups = request.routeOptions.url?.startsWith('/api/database/')
  const backup = isAboutBackups ? (idIn(id) ?? idIn(backupId) ?? idIn(etag)) : undefined
  if (backup !== undefined) note(request, { backup })
}

/** An id is 22 characters; a file name ends with the id of its image and an extension. */
const idIn = (text: unknown) => (typeof text === 'string' ? /(?:^|-)([\w-]{22})(?:\.\w+)?$/.exec(text)?.[1] : undefined)

export const noteRefusal = (request: FastifyRequest, code: FailureCode) => note(request, { code })

export const logContextOf = (request: FastifyRequest): LogContext => contextOf.get(request) ?? {}

function note(request: FastifyRequest, context: LogContext): void {
  contextOf.set(request, { ...contextOf.get(request), ...context })
}
