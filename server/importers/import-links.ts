// Creates links for what was shared through another host, with its passwords where they can be checked here.
import type { Kysely } from 'kysely'
import { limits } from '../../contract/plain/limits.ts'
import type { LinksTable, Schema } from '../db/schema.ts'
import { hashPassword } from '../domain/accounts/passwords.ts'
import { newLink } from '../domain/images/sharing/new-link.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { findImported } from './import-image.ts'
import { shorten } from './strip-markup.ts'
import { isUsableHash } from './import-users.ts'
import type { Report } from './import-report.ts'
import type { Source, SourceLink } from './source-types.ts'

interface Options {
  /** The name of the source. */
  name: string
  isDryRun: boolean
  report: Report | null
  signal: AbortSignal
}

/** Also the note that the link's owner reads. */
const lockedNote = 'its password cannot be checked here: set a new one, then activate the link'

/** What was not imported, or belongs to a guest, gets no link. A dry run counts every link. */
export async function importLinks(deps: Deps, source: Source, { name, isDryRun, report, signal }: Options) {
  const count = { created: 0, existed: 0, locked: 0 }
  for await (const link of source.links?.() ?? []) {
    signal.throwIfAborted()
    const isKnown = (await findImported(deps.db, 'link', name, [link.id])).has(link.id)
    if (!isKnown && !isDryRun) {
      const target = await findTarget(deps, link, name)
      if (!target) continue
      await createLink(deps, link, target, name)
    }
    const isLocked = !isKnown && hasUnknownPassword(link)
    count[isKnown ? 'existed' : 'created']++
    if (isLocked) count.locked++
    await report?.write({
      result: isKnown ? 'exists' : 'imported',
      kind: 'link',
      id: link.id,
      note: isLocked ? lockedNote : '',
    })
  }
  return count
}

const hasUnknownPassword = ({ passwordHash, isGuarded = false }: SourceLink) =>
  isGuarded || (Boolean(passwordHash) && !canBeChecked(passwordHash))
const canBeChecked = (hash: string | null | undefined) =>
  isUsableHash(hash ?? null) && hash?.startsWith('$argon2id$') === true

interface Target {
  ownerId: string
  albumId: string | null
  imageIds: string[]
}

async function findTarget(
  { db }: Deps,
  { albumId, imageIds = [] }: SourceLink,
  source: string,
): Promise<Target | undefined> {
  if (albumId !== undefined) {
    const id = (await findImported(db, 'album', source, [albumId])).get(albumId) ?? ''
    const album = await db.selectFrom('albums').select('owner_id').where('id', '=', id).executeTakeFirst()
    return album?.owner_id ? { ownerId: album.owner_id, albumId: id, imageIds: [] } : undefined
  }
  const there = [...new Set(imageIds)].slice(0, limits.links.maxImages)
  const here = await findImported(db, 'image', source, there)
  const ids = there.flatMap((one) => here.get(one) ?? [])
  if (ids.length === 0) return undefined
  const rows = await db.selectFrom('images').select(['id', 'owner_id']).where('id', 'in', ids).execute()
  const owners = new Map(rows.map((row) => [row.id, row.owner_id]))
  const ownerId = ids.map((one) => owners.get(one)).find(Boolean)
  // A link shares images of one owner.
  return ownerId ? { ownerId, albumId: null, imageIds: ids.filter((one) => owners.get(one) === ownerId) } : undefined
}

/** A link whose password is unknown gets a random one and is revoked, so that nobody can open it without a password. */
async function createLink(deps: Deps, link: SourceLink, target: Target, source: string): Promise<void> {
  const isLocked = hasUnknownPassword(link)
  const { settings } = link
  const { maxNameLength, maxNoteLength, maxWatermarkLength } = limits.links
  const owner = { owner_id: target.ownerId, guest_token_hash: null, album_id: target.albumId }
  const row: LinksTable = {
    ...newLink(deps, owner),
    ...settings,
    name: shorten(settings?.name, maxNameLength),
    note: shorten(isLocked ? `Imported: ${lockedNote}. ${settings?.note ?? ''}` : settings?.note, maxNoteLength),
    password_hash: isLocked ? await hashPassword(deps.randomBytes(32).toString('hex')) : link.passwordHash || null,
    starts_at: link.startsAt ?? null,
    ends_at: link.endsAt ?? null,
    can_download: link.canDownload === false ? 0 : 1,
    watermark: shorten(settings?.watermark, maxWatermarkLength),
    created_at: Math.min(link.createdAt ?? deps.now(), deps.now()),
    revoked_at: link.revokedAt ?? (isLocked ? deps.now() : null),
  }
  const images = target.imageIds.map((id, position) => ({ link_id: row.id, image_id: id, position }))
  await deps.db.transaction().execute(async (db) => {
    await db.insertInto('links').values(row).execute()
    if (link.slug !== undefined && !(await isTaken(db, link.slug)))
      await db.updateTable('links').set({ slug: link.slug }).where('id', '=', row.id).execute()
    if (images.length > 0) await db.insertInto('link_images').values(images).execute()
    await db
      .insertInto('imported_rows')
      .values({ source, kind: 'link', source_id: link.id, target_id: row.id })
      .execute()
  })
}

const isTaken = async (db: Kysely<Schema>, slug: string): Promise<boolean> =>
  (await db.selectFrom('links').select('id').where('slug', '=', slug).executeTakeFirst()) !== undefined
