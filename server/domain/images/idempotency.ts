// Idempotency-Key: whoever sends an upload again because the answer was lost gets the image of the first time.
import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { Schema } from '../../db/schema.ts'
import type { Caller } from '../caller.ts'
import type { Deps, RequestContext } from '../deps.ts'
import { Failure } from '../failure.ts'
import { hashSecret } from '../secrets.ts'
import type { ImageRow } from './image-row.ts'

export interface Once {
  /** Of the uploader and their key: what is kept. */
  hash: string
  /** The same for each answer to this key, without being kept: derived with the server's secret. Guests only. */
  deleteToken: string | undefined
}

export class IdempotencyKeyTaken extends Error {}

/** undefined: sent without a key. Users' keys are their own; a guest's belong to their address. @throws {Failure} invalid_input */
export function idempotency(
  deps: Deps,
  { caller, address, headers }: RequestContext<Caller> & { headers: { 'idempotency-key'?: string | undefined } },
): Once | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  // Guests behind one address share it: what another could guess would hand out the image's delete token.
  if (caller.kind === 'guest' && key.length < limits.minGuestIdempotencyKey) {
    const problem = `must have at least ${limits.minGuestIdempotencyKey} characters without an account: a random UUID`
    throw new Failure('invalid_input', { field: 'idempotency-key', problem })
  }
  const uploader = caller.kind === 'user' ? `user:${caller.account.id}` : `guest:${address}`
  const hash = hashSecret(`${uploader}\n${key}`)
  const derive = () =>
    createHmac('sha256', deps.jwtSecret).update(`delete-token\n${uploader}\n${key}`).digest('base64url')
  return { hash, deleteToken: caller.kind === 'guest' ? derive() : undefined }
}

/** The image that this key has answered with, while both live. */
export function imageOf(deps: Deps, { hash }: Once): Promise<ImageRow | undefined> {
  return deps.db
    .selectFrom('idempotency_keys')
    .innerJoin('images', 'images.id', 'idempotency_keys.image_id')
    .selectAll('images')
    .where('idempotency_keys.key', '=', hash)
    .where('idempotency_keys.created_at', '>', deps.now() - limits.idempotencyMs)
    .where('images.expires_at', '>', deps.now())
    .executeTakeFirst()
}

/** Binds the key to this image. @throws {IdempotencyKeyTaken} when a key that still answers is bound to another */
export async function storeIdempotencyKey(transaction: Kysely<Schema>, { hash }: Once, row: ImageRow): Promise<void> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('idempotency_keys')
    .values({ key: hash, image_id: row.id, created_at: row.created_at })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ image_id: row.id, created_at: row.created_at })
        .where((where) =>
          where.or([
            where('idempotency_keys.created_at', '<=', row.created_at - limits.idempotencyMs),
            where.not(where.exists(livingImageOfKey(transaction, row.created_at))),
          ]),
        ),
    )
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) throw new IdempotencyKeyTaken()
}

/** A key whose image has expired is free again, before the sweep has taken the image. */
const livingImageOfKey = (transaction: Kysely<Schema>, now: number) =>
  transaction
    .selectFrom('images')
    .select('images.id')
    .whereRef('images.id', '=', 'idempotency_keys.image_id' as never)
    .where('images.expires_at', '>', now)

/** Forgets the keys that answer no more. @param now UTC milliseconds, trusted: keys that are wanted still do not go by a wrong clock */
export async function sweepIdempotencyKeys({ db }: Pick<Deps, 'db'>, now: number): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<=', now - limits.idempotencyMs)
    .execute()
}
