// What a protocol of another host consists of. bind-compat.ts does everything else.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import type { Caller } from '../../domain/shared/caller.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import type { Failure } from '../../domain/shared/failure.ts'
import type { Fields } from '../uploads/multipart.ts'

export interface CompatProtocol {
  /** The body of a failure. */
  failure: (failure: Failure, request: FastifyRequest, reply: FastifyReply) => unknown
  /** Turns the fields of a query or a small body into what the contract declares. */
  readFields?: (fields: Fields) => Fields
  /** Names of the headers with the rate limit and what remains of it. */
  rateHeaders?: { limit: string[]; remaining: string[] }
}

/** Of the body and the query. Clients send fields that mean nothing here. */
export type { Fields }

export interface UploadContext {
  deps: Deps
  request: FastifyRequest
  reply: FastifyReply
  fields: Fields
}

export interface UploadHandler {
  maxFiles: number
  /** The same bytes of the same owner get the image that exists. */
  reusesSameBytes: boolean
  /** The text of the wanted name, without which the name of the file is used. */
  nameFields: readonly string[]
  /** Milliseconds from now; undefined: as long as possible. @throws {Failure} invalid_input */
  lifetimeMs?: (context: UploadContext) => number | undefined
  /** Views after which the images are deleted; undefined: no limit. @throws {Failure} invalid_input */
  maxViews?: (context: UploadContext) => number | undefined
  tags?: (context: UploadContext) => string[] | undefined
  /** The id of the album that the images are added to, as the client sent it. */
  album?: (context: UploadContext & { caller: Caller }) => string | undefined | Promise<string | undefined>
  /** An album of guests that the images are added to, with the token that proves it. */
  guestAlbum?: (context: UploadContext & { caller: Caller }) => { id: string; token: string } | undefined
  /** @returns the body. @param images at least one */
  respond: (images: [UploadedImage, ...UploadedImage[]], context: UploadContext) => unknown
}

export interface CallContext {
  deps: Deps
  request: FastifyRequest
  reply: FastifyReply
  caller: Caller
  address: string
  /** Origin of image URLs, and of the page. */
  baseUrl: string
  siteUrl: string
  params: Record<string, string>
  /** As the contract validated it. */
  query: Fields
  body: Fields
}

/** @returns the body */
export type CallHandler = (context: CallContext) => Promise<unknown>

/** The first of these fields that is a text. */
export const textIn = (fields: Fields, ...names: readonly string[]): string | undefined =>
  names.map((name) => fields[name]).find((value): value is string => typeof value === 'string' && value !== '')

/** The token of an image's delete link with the id, which the clients of some hosts send alone. */
export function deleteHashOf({ delete_url: url = '' }: UploadedImage): string {
  const [id, token] = url.split('/').slice(-2)
  return `${id}.${token}`
}

/** The reverse of {@link deleteHashOf}; undefined when it is not a delete hash. */
export function deleteLinkOf(hash: unknown): { id: string; token: string } | undefined {
  const [, id, token] = typeof hash === 'string' ? (/^([\w-]{22})\.([\w-]+)$/.exec(hash) ?? []) : []
  return id === undefined || token === undefined ? undefined : { id, token }
}

/** Seconds since 1970, UTC, of an ISO 8601 time. */
export const secondsOf = (time: string) => Math.floor(Date.parse(time) / 1000)

/** As PHP programs write times: '2026-01-31 12:00:00'. */
export const dateTimeOf = (time: string) => time.slice(0, 19).replace('T', ' ')

/** The part of a name before its extension. */
export const titleOf = (name: string) => name.replace(/(?<=.)\.[^.]{1,8}$/, '')
/** The part behind the last dot. */
export const extensionOf = (name: string) => name.slice(name.lastIndexOf('.') + 1)
