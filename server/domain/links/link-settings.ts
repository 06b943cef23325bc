// The settings of a link: as they are stored, and what is refused of them: a taken address, times that end before they begin.
import { type Kysely, sql, type Updateable } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import { isUniqueViolation } from '../../db/database-errors.ts'
import type { LinksTable, Schema } from '../../db/schema.ts'
import { hashPassword } from '../accounts/passwords.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'

export type Settings = Input<'updateLink'>['body']

/** What the caller sends, as it is stored. */
export async function columnsOf(settings: Settings): Promise<Partial<LinksTable>> {
  const { name, note, slug, watermark, password, max_views, max_size, starts_at, ends_at } = settings
  const passwordHash = typeof password === 'string' ? await hashPassword(password) : password
  const columns: Updateable<LinksTable> = {
    name,
    note,
    slug,
    watermark,
    max_size,
    views_left: max_views,
    starts_at: timeOf(starts_at),
    ends_at: timeOf(ends_at),
    shows_private: flagOf(settings.shows_private),
    can_download: flagOf(settings.can_download),
    password_hash: passwordHash,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** @throws {Failure} invalid_input: a watermark, on a server that could draw lines only */
export async function assertFont({ imaging }: Deps, { watermark = '' }: Settings): Promise<void> {
  if (watermark === '' || (await imaging.drawsLetters())) return
  throw new Failure('invalid_input', { field: 'watermark', problem: 'needs a font, and this server has none' })
}

const timeOf = (text: string | null | undefined) => (typeof text === 'string' ? Date.parse(text) : text)
const flagOf = (value: boolean | undefined) => (value === undefined ? undefined : value ? 1 : 0)

/** @throws {Failure} invalid_input */
export function assertTimes({ starts_at: startsAt, ends_at: endsAt }: LinksTable): void {
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    throw new Failure('invalid_input', { field: 'ends_at', problem: 'must be after starts_at' })
}

export function revocationOf({ revoked_at: before }: LinksTable, { revoked }: Settings, now: number): number | null {
  if (revoked === undefined) return before
  return revoked ? (before ?? now) : null
}

/** @throws {Failure} slug_taken */
export async function assertFree(db: Kysely<Schema>, { id, slug }: LinksTable): Promise<void> {
  const other = db
    .selectFrom('links')
    .select(sql`1`.as('one'))
    .where('slug', '=', slug)
    .where('id', '!=', id)
  if (await other.executeTakeFirst()) throw new Failure('slug_taken', { slug })
}

/** Another server gave the slug away since the check. */
export const throwSlugTaken =
  (slug: string) =>
  (error: unknown): never => {
    if (isUniqueViolation(error)) throw new Failure('slug_taken', { slug }, { cause: error })
    throw error
  }
