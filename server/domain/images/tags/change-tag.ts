// Renames, merges, colours and removes a tag of an account.
import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Input } from '../../../../contract/endpoints/api.ts'
import type { Tag } from '../../../../contract/endpoints/tags.ts'
import { isWithinTag, normalizeTag } from '../../../../contract/plain/tag-names.ts'
import { isTagOrBelow, writeTagsOfImages } from '../../../db/image-tags.ts'
import type { Schema } from '../../../db/schema.ts'
import type { UserCaller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'

interface OfUser {
  caller: UserCaller
}

/**
 * Renames a tag with those below it, or gives it a colour.
 * @throws {Failure} tag_not_found, tag_exists; invalid_input: the new name is below the tag, or makes one below it too long
 */
export async function updateTag(deps: Deps, { caller, body }: OfUser & Pick<Input<'updateTag'>, 'body'>) {
  const { tag, new_name: newName = tag, merge = false, colour } = body
  const within = await tagsWithin(deps.db, caller, tag)
  if (within.length === 0) throw new Failure('tag_not_found', { tag })
  let images = 0
  if (newName !== tag) {
    assertFits(tag, newName, within)
    if (!merge && (await tagsWithin(deps.db, caller, newName)).length > 0)
      throw new Failure('tag_exists', { tag: newName })
    images = await moveTag(deps, caller, tag, newName)
  }
  if (colour !== undefined) await setColour(deps.db, caller, newName, colour)
  return { success: true as const, images }
}

/** @throws {Failure} tag_not_found */
export async function deleteTag(deps: Deps, { caller, body: { tag } }: OfUser & Pick<Input<'deleteTag'>, 'body'>) {
  if ((await tagsWithin(deps.db, caller, tag)).length === 0) throw new Failure('tag_not_found', { tag })
  return { success: true as const, images: await moveTag(deps, caller, tag, null) }
}

/** @throws {Failure} invalid_input */
function assertFits(tag: string, newName: string, within: readonly string[]): void {
  const problem = isWithinTag(newName, tag)
    ? `is below ${tag}`
    : within.some((name) => normalizeTag(newName + name.slice(tag.length)) === undefined) &&
      'makes a tag below it too long or too deep'
  if (problem !== false) throw new Failure('invalid_input', { field: 'new_name', problem })
}

/** The tag and those below it that images have. */
async function tagsWithin(db: Kysely<Schema>, { account }: UserCaller, tag: string): Promise<string[]> {
  const rows = await db
    .selectFrom('image_tags')
    .select('tag')
    .distinct()
    .where('owner_id', '=', account.id)
    .where(isTagOrBelow('tag', tag))
    .execute()
  return rows.map((row) => row.tag)
}

/** Images in a transaction: 10 ms on SQLite. */
const imagesPerWrite = 500

/**
 * Gives a tag and those below it another name, or removes them: some hundred images at a time, and the colours last, so that
 * the same request completes what a crash leaves.
 * @returns the number of images
 */
async function moveTag(deps: Deps, caller: UserCaller, tag: string, newName: string | null): Promise<number> {
  let images = 0
  for (;;) {
    const moved = await deps.db.transaction().execute((db) => moveSome(db, caller.account.id, tag, newName))
    images += moved
    if (moved < imagesPerWrite) break
    await setImmediate()
  }
  await moveColours(deps.db, caller.account.id, tag, newName)
  return images
}

async function moveSome(db: Kysely<Schema>, ownerId: string, tag: string, newName: string | null): Promise<number> {
  // The first statement writes: SQLite does not wait when a transaction upgrades from reading to writing.
  const some = await db
    .updateTable('images')
    .set((row) => ({ tags: row.ref('tags') }))
    .where('id', 'in', (from) =>
      from
        .selectFrom('image_tags')
        .select('image_id')
        .distinct()
        .where('owner_id', '=', ownerId)
        .where(isTagOrBelow('tag', tag))
        .limit(imagesPerWrite),
    )
    .returning('id')
    .execute()
  const ids = some.map(({ id }) => id)
  if (ids.length === 0) return 0
  if (newName !== null)
    await sql`
      insert into image_tags (image_id, owner_id, tag)
      select image_id, owner_id, ${newName} || substr(tag, length(${tag}) + 1) from image_tags
      where image_id in (${sql.join(ids)}) and ${isTagOrBelow('tag', tag)}
      on conflict do nothing`.execute(db)
  await db.deleteFrom('image_tags').where('image_id', 'in', ids).where(isTagOrBelow('tag', tag)).execute()
  await writeTagsOfImages(db, ids)
  return ids.length
}

/** Of two tags that become one, the other's colour stays. */
async function moveColours(db: Kysely<Schema>, ownerId: string, tag: string, newName: string | null): Promise<void> {
  if (newName !== null)
    await sql`
      insert into tags (owner_id, name, colour)
      select owner_id, ${newName} || substr(name, length(${tag}) + 1), colour from tags
      where owner_id = ${ownerId} and ${isTagOrBelow('name', tag)}
      on conflict do nothing`.execute(db)
  await db.deleteFrom('tags').where('owner_id', '=', ownerId).where(isTagOrBelow('name', tag)).execute()
}

async function setColour(db: Kysely<Schema>, { account }: UserCaller, name: string, colour: Tag['colour']) {
  if (colour === null) await db.deleteFrom('tags').where('owner_id', '=', account.id).where('name', '=', name).execute()
  else
    await db
      .insertInto('tags')
      .values({ owner_id: account.id, name, colour })
      .onConflict((conflict) => conflict.columns(['owner_id', 'name']).doUpdateSet({ colour }))
      .execute()
}
