// Idempotency-Key: a client that repeats an upload gets the image of the first request.
import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import { limits } from '../../../contract/plain/limits.ts'
import type { Schema } from '../../db/schema.ts'
import { type Caller, mayManage } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { hashFile } from '../shared/hash-file.ts'
import { hashSecret } from '../shared/secrets.ts'
import type { ImageRow } from '../images/image-row.ts'

export interface UploadIdempotency {
  /** SHA-256 of the uploader and their key, as stored. */
  hash: string
  /** SHA-256 of the file as sent: a key belongs to one file. */
  contentHash: string
  /** Of guests: derived from the server's secret, so the same each time without being stored. */
  deleteToken: string | undefined
}

export class IdempotencyKeyTaken extends Error {}

interface KeyedUpload extends RequestContext<Caller> {
  headers: { 'idempotency-key'?: string | undefined }
  file: { path: string }
}

/**
 * Returns undefined without a key. Keys of users belong to their account, keys of guests to their
 * address. Those of an API key without `manage` belong to it alone: the response to a repetition has
 * the delete link of the image.
 * @throws {Failure} invalid_input
 */
export async function idempotencyOf(
  deps: Deps,
  { caller, address, headers, file }: KeyedUpload,
): Promise<UploadIdempotency | undefined> {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  assertUnguessableKey(caller, key)
  return { ...secretsOf(deps, { caller, address }, key), contentHash: await hashFile(file.path) }
}

/**
 * Guests behind one address share its keys: a guessable one would reveal the delete token.
 * @throws {Failure} invalid_input
 */
export function assertUnguessableKey(caller: Caller, key: string | undefined): void {
  if (caller.kind !== 'guest' || key === undefined || key.length >= limits.minGuestIdempotencyKey) return
  const problem = `must have at least ${limits.minGuestIdempotencyKey} characters without an account: a random UUID`
  throw new Failure('invalid_input', { field: 'idempotency-key', problem })
}

function secretsOf(deps: Pick<Deps, 'jwtSecret'>, sender: Uploader, key: string) {
  const uploader = uploaderOf(sender)
  const derive = () =>
    createHmac('sha256', deps.jwtSecret).update(`delete-token\n${uploader}\n${key}`).digest('base64url')
  return { hash: hashKey(uploader, key), deleteToken: sender.caller.kind === 'guest' ? derive() : undefined }
}

/** The image stored under a key, while both exist, and the delete token of a guest's. */
export async function findStoredUpload(
  deps: Pick<Deps, 'db' | 'now' | 'jwtSecret'>,
  uploader: Uploader,
  key: string,
): Promise<{ row: ImageRow; deleteToken: string | undefined } | undefined> {
  const { hash, deleteToken } = secretsOf(deps, uploader, key)
  const found = await findByKey(deps, hash)
  if (!found) return undefined
  const { content_hash: _, ...row } = found
  return { row, deleteToken }
}

type Uploader = Pick<KeyedUpload, 'caller' | 'address'>
export function uploaderOf({ caller, address }: Uploader): string {
  if (caller.kind === 'guest') return `guest:${address}`
  return 'apiKeyId' in caller.by && !mayManage(caller) ? `key:${caller.by.apiKeyId}` : `user:${caller.account.id}`
}
const hashKey = (uploader: string, key: string) => hashSecret(`${uploader}\n${key}`)

/** An upload before its first byte is read. */
export interface AnnouncedUpload {
  caller: Caller
  address: string
  /** The Idempotency-Key. The repetition of a stored upload is admitted where a quota is used up. */
  key: string | undefined
}

/** @throws what `refuse` throws, unless the upload stores nothing */
export async function unlessRepeated(
  deps: Deps,
  upload: AnnouncedUpload,
  refuse: () => void | Promise<void>,
): Promise<void> {
  try {
    await refuse()
  } catch (error) {
    if (!(error instanceof Failure) || !(await isRepeatedUpload(deps, upload, upload.key))) throw error
  }
}

/** Whether the uploader's key already has its image, so that an upload with it stores nothing. */
async function isRepeatedUpload(
  deps: Pick<Deps, 'db' | 'now'>,
  uploader: Uploader,
  key: string | undefined,
): Promise<boolean> {
  return key !== undefined && (await findByKey(deps, hashKey(uploaderOf(uploader), key))) !== undefined
}

/**
 * Returns the image stored under this key while both exist.
 * @throws {Failure} idempotency_key_reused: it was uploaded from another file
 */
export async function findIdempotentUpload(
  deps: Pick<Deps, 'db' | 'now'>,
  { hash, contentHash }: UploadIdempotency,
): Promise<ImageRow | undefined> {
  const found = await findByKey(deps, hash)
  if (!found) return undefined
  const { content_hash: storedHash, ...row } = found
  if (storedHash !== null && storedHash !== contentHash) throw new Failure('idempotency_key_reused')
  return row
}

const findByKey = ({ db, now }: Pick<Deps, 'db' | 'now'>, hash: string) =>
  db
    .selectFrom('idempotency_keys')
    .innerJoin('images', 'images.id', 'idempotency_keys.image_id')
    .selectAll('images')
    .select('idempotency_keys.content_hash')
    .where('idempotency_keys.key', '=', hash)
    .where('idempotency_keys.created_at', '>', now() - limits.idempotencyMs)
    .where('images.expires_at', '>', now())
    .executeTakeFirst()

/** @throws {IdempotencyKeyTaken} when an active key belongs to another image */
export async function storeIdempotencyKey(
  transaction: Kysely<Schema>,
  { hash, contentHash }: UploadIdempotency,
  row: ImageRow,
): Promise<void> {
  const stored = { image_id: row.id, created_at: row.created_at, content_hash: contentHash }
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('idempotency_keys')
    .values({ key: hash, ...stored })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(stored)
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

/** A key is free again when its image has expired, even before the sweep. */
const livingImageOfKey = (transaction: Kysely<Schema>, now: number) =>
  transaction
    .selectFrom('images')
    .select('images.id')
    .whereRef('images.id', '=', 'idempotency_keys.image_id' as never)
    .where('images.expires_at', '>', now)

/** @param now UTC milliseconds of the trusted clock: a wrong one must not delete active keys */
export async function sweepIdempotencyKeys({ db }: Pick<Deps, 'db'>, now: number): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<=', now - limits.idempotencyMs)
    .execute()
}
