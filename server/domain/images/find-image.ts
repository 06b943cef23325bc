// Finds the image at an address for whoever may view it, or says why there is none: gone, hidden, unknown.
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { isAvailable } from './availability.ts'
import type { ImageRow, ViewedImage } from './image-row.ts'
import {
  asViewed,
  type DecidingRow,
  decidingColumns,
  everyone,
  fullAccess,
  type MayView,
  type Viewed,
} from './may-view.ts'

/** `isAvailable` is 0 for an image that is not served to anyone but admins. */
type StoredImage = ImageRow & { isAvailable: number }
/** Columns with a value that is unique among images and tombstones. */
export type ImageKey = 'id' | 'file_name' | 'slug'

/**
 * Returns the row of an image that exists, has not expired and may be served.
 * @throws {Failure} image_gone when it expired or was deleted in the last 30 days, image_unavailable
 * when it is quarantined or its owner is suspended, image_not_found otherwise
 */
export async function findLiveImage(deps: Deps, by: ImageKey, value: string, mayView: MayView): Promise<ViewedImage> {
  const row = await findUnexpiredImage(deps, by, value, mayView)
  assertAvailable(row)
  return row
}

/** @throws {Failure} image_unavailable */
export function assertAvailable({ isAvailable: isServed }: StoredImage): void {
  if (isServed === 0) throw new Failure('image_unavailable')
}

/**
 * Returns the row of an image that has not expired, also of one that is not served to anyone but
 * admins.
 * @throws {Failure} image_gone, image_not_found
 */
export async function findUnexpiredImage(
  deps: Deps,
  by: ImageKey,
  value: string,
  mayView: MayView,
): Promise<Viewed<StoredImage>> {
  const row = await findStoredImage(deps, by, value, mayView)
  // After the last view also by the clock of a server that is behind.
  if (row.expires_at > deps.now() && row.views_left !== 0) return row
  throw new Failure('image_gone')
}

/**
 * Returns the row of an image that has not expired, or that was deleted and can be restored: admins decide about both.
 * @throws {Failure} image_gone, image_not_found
 */
export async function findModeratedImage(deps: Deps, id: string): Promise<Viewed<StoredImage>> {
  const row = await findStoredImage(deps, 'id', id, everyone)
  return (row.undo_until ?? 0) > deps.now() ? row : findUnexpiredImage(deps, 'id', id, everyone)
}

/**
 * Returns the row of an image even when it has expired or is not served. A private image that the caller may not view
 * takes the same queries as one that has never existed.
 * @throws {Failure} image_gone: it was deleted; image_not_found
 */
export async function findStoredImage(
  deps: Deps,
  by: ImageKey,
  value: string,
  mayView: MayView,
): Promise<Viewed<StoredImage>> {
  // Not a valid file name, so no query is needed.
  if (!/^[\w.-]{1,200}$/.test(value)) throw new Failure('image_not_found')
  const viewed = await findViewed(deps, by, value, mayView)
  if (viewed) return viewed
  const tombstone = await deps.db
    .selectFrom('tombstones')
    .select('id')
    .where((where) => where.or([where(by, '=', value), where('id', 'in', [value, ...idsIn(value)])]))
    .where('visibility', '=', 'public')
    .executeTakeFirst()
  throw new Failure(tombstone ? 'image_gone' : 'image_not_found')
}

async function findViewed(
  { db }: Deps,
  by: ImageKey,
  value: string,
  mayView: MayView,
): Promise<Viewed<StoredImage> | undefined> {
  const images = db.selectFrom('images').where(by, '=', value)
  const access = mayView.sees === undefined ? await mayView(await findDecidingRow(db, by, value)) : fullAccess
  if (!access) return undefined
  const row = await images
    .selectAll()
    .select((image) => image.case().when(isAvailable(image)).then(1).else(0).end().as('isAvailable'))
    .$if(mayView.sees === 'public', (image) => image.where('visibility', '=', 'public'))
    .executeTakeFirst()
  return row && { ...row, ...access }
}

/** By a query that always has a row: making one takes long enough to tell a private image from none. */
async function findDecidingRow(db: Deps['db'], by: ImageKey, value: string): Promise<DecidingRow | undefined> {
  const row = await db
    .selectFrom(db.selectNoFrom((value) => value.lit(1).as('one')).as('asked'))
    .leftJoin('images', (image) => image.on(by, '=', value))
    .select(decidingColumns)
    .executeTakeFirst()
  return row && row.id !== null ? (row as DecidingRow) : undefined
}

/** Returns what may be ids: 22 characters of base64url, which file names and URLs of images contain. */
export const idsIn = (text: string) => [...text.matchAll(/[\w-]{22}(?![\w-])/g)].map(([candidate]) => candidate)

/** Returns the first id in the text that is of a stored image. One that the caller may not view is passed over like any text. */
export async function findIdIn({ db }: Pick<Deps, 'db'>, text: string, mayView: MayView): Promise<string | undefined> {
  const candidates = idsIn(text)
  if (candidates.length === 0) return undefined
  const stored = await db.selectFrom('images').select(decidingColumns).where('id', 'in', candidates).execute()
  for (const id of candidates) {
    if (
      await asViewed(
        stored.find((row) => row.id === id),
        mayView,
      )
    )
      return id
  }
  return undefined
}
