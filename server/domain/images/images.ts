// What an owner does with images: list, delete, extend.
import { dayMs, limits } from '../../../contract/limits.ts'
import type { Image } from '../../../contract/images.ts'
import type { Caller, UserCaller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import { Failure } from '../failure.ts'
import { secretMatches } from '../secrets.ts'
import { type ImageRow, liveImage, toImage } from './record.ts'
import { removeImages } from './remove.ts'

/** A list reply: the page and what its headers say. */
export interface Page<T> {
  items: T[]
  /** Of all pages. */
  total: number
  nextCursor: string | null
}

/** The caller's images, newest first. @throws {Failure} invalid_input: a cursor that is none of ours */
export async function listImages(
  deps: Deps,
  {
    caller,
    baseUrl,
    query,
  }: RequestContext<UserCaller> & { query: { limit?: number | undefined; cursor?: string | undefined } },
): Promise<Page<Image>> {
  const limit = query.limit ?? limits.list.defaultLimit
  const mine = deps.db
    .selectFrom('images')
    .where('owner_id', '=', caller.account.id)
    .where('expires_at', '>', deps.now())

  let page = mine
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (query.cursor !== undefined) {
    const after = readCursor(query.cursor)
    page = page.where((where) => where(where.refTuple('created_at', 'id'), '<', where.tuple(after.createdAt, after.id)))
  }
  const [rows, count] = await Promise.all([
    page.execute(),
    mine.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => toImage(row, baseUrl)),
    total: Number(count.total),
    nextCursor: rows.length > limit && last ? `${last.created_at}.${last.id}` : null,
  }
}

/** @throws {Failure} image_gone, image_not_found, and whoever it is not for: see {@link authorize} */
export async function deleteImage(deps: Deps, request: OwnerRequest) {
  const row = await liveImage(deps, 'id', request.params.id)
  authorize(request, row)
  await removeImages(deps, [row.id])
  return { success: true as const }
}

/** One year from now, whatever was left. @throws {Failure} as deleteImage */
export async function extendImage(deps: Deps, request: OwnerRequest) {
  const row = await liveImage(deps, 'id', request.params.id)
  authorize(request, row)
  const now = deps.now()
  const expiresAt = now + limits.extensionDays * dayMs
  const { numUpdatedRows } = await deps.db
    .updateTable('images')
    .set({ expires_at: expiresAt })
    .where('id', '=', row.id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  // The sweep or another call was faster: an image that is gone is not brought back.
  if (numUpdatedRows === 0n) throw new Failure('image_gone')
  return { success: true as const, id: row.id, expires_at: new Date(expiresAt).toISOString() }
}

export interface OwnerRequest extends RequestContext<Caller> {
  params: { id: string }
  /** delete_token of a guest image, from the header or the body. */
  guestToken: string | undefined
}

/**
 * Guests own by a secret, users by their account; admins may do all.
 * @throws {Failure} guest_token_required, wrong_guest_token, forbidden
 */
function authorize({ caller, guestToken }: OwnerRequest, row: ImageRow): void {
  if (caller.kind === 'user' && (caller.account.role === 'admin' || row.owner_id === caller.account.id)) return
  if (row.guest_token_hash === null)
    throw new Failure(caller.kind === 'guest' ? 'authentication_required' : 'forbidden')
  if (guestToken === undefined) throw new Failure('guest_token_required')
  if (!secretMatches(guestToken, row.guest_token_hash)) throw new Failure('wrong_guest_token')
}

function readCursor(cursor: string): { createdAt: number; id: string } {
  const [, createdAt, id] = /^(\d{1,15})\.([\w-]{22})$/.exec(cursor) ?? []
  if (createdAt === undefined || id === undefined) {
    throw new Failure('invalid_input', { field: 'cursor', problem: 'is not from a Link header of this list' })
  }
  return { createdAt: Number(createdAt), id }
}
