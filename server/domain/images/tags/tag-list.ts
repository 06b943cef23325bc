// The tags of an account: listed with how many images have them, renamed, merged, coloured, removed.
import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Input } from '../../../../contract/endpoints/api.ts'
import type { Tag } from '../../../../contract/endpoints/tags.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { isWithinTag, normalizeTag } from '../../../../contract/plain/tag-names.ts'
import { writeTagsOfImages } from '../../../db/image-tags.ts'
import type { Schema } from '../../../db/schema.ts'
import type { UserCaller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { type Page, readCursor, toPage, writeCursor } from '../../shared/keyset-page.ts'

interface OfUser {
  caller: UserCaller
}

/** @throws {Failure} invalid_input: an invalid cursor */
export async function listTags(
  deps: Deps,
  { caller, query }: OfUser & Pick<Input<'listTags'>, 'query'>,
): Promise<Page<Tag>> {
  const { q = '', sort = 'name', limit = limits.list.defaultLimit, cursor } = query
  const counts = await countTags(deps, caller)
  // A slash at the end is of a tag that is being typed.
  const part = q.endsWith('/') ? `${normalizeTag(q) ?? ''}/` : (normalizeTag(q) ?? '')
  const compare = compareBy[sort]
  const found = [...counts].filter(({ name, images }) => images > 0 && name.includes(part)).toSorted(compare)
  const after = cursor === undefined ? undefined : readCursor(`tags ${sort}`, 'number', cursor)
  const rest = after ? found.filter((tag) => compare(tag, { name: after.id, images: Number(after.value) }) > 0) : found
  const page = toPage(rest.slice(0, limit + 1), limit, found.length, {
    show: (tag) => tag,
    cursorOf: ({ name, images }) => writeCursor(`tags ${sort}`, { value: images, id: name }),
  })
  const colours = await coloursOf(deps, caller, page.items)
  return { ...page, items: page.items.map((tag) => ({ ...tag, colour: colours.get(tag.name) ?? null })) }
}

type Count = Pick<Tag, 'name' | 'images'>

const byName = (a: Count, b: Count) => (a.name < b.name ? -1 : Number(a.name > b.name))
const compareBy = { name: byName, images: (a: Count, b: Count) => b.images - a.images || byName(a, b) }

/** Rows that a query counts: 10 ms on SQLite, where it blocks all others. */
const batchSize = 20_000

/** Counts the images of each tag, in the order of the tags, without those that no list shows. */
async function countTags(deps: Deps, { account }: UserCaller): Promise<Count[]> {
  const hidden = await countHidden(deps, account.id)
  const counts = new Map<string, number>()
  for (let last: { tag: string; image: string } | undefined; ;) {
    const after = last ? sql`and (tag, image_id) > (${last.tag}, ${last.image})` : sql``
    const { rows } = await sql<{ tag: string; images: number; image: string }>`
      select tag, count(*) as images, max(image_id) as image from (
        select tag, image_id from image_tags where owner_id = ${account.id} ${after}
        order by tag, image_id limit ${batchSize}) as batch
      group by tag order by tag`.execute(deps.db)
    let read = 0
    for (const { tag, images } of rows) {
      read += Number(images)
      counts.set(tag, (counts.get(tag) ?? 0) + Number(images))
    }
    last = rows.at(-1)
    if (read < batchSize) break
    await setImmediate()
  }
  return [...counts].map(([name, images]) => ({ name, images: images - (hidden.get(name) ?? 0) }))
}

/** Of deleted, expired and quarantined images: few of many, each found by an index. */
async function countHidden({ db, now }: Deps, ownerId: string): Promise<Map<string, number>> {
  const hidden = db
    .selectFrom('images')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where((image) => image.or([image('expires_at', '<=', now()), image('quarantined_at', 'is not', null)]))
  const rows = await db
    .selectFrom('image_tags')
    .select(['tag', (row) => row.fn.countAll<number | string>().as('images')])
    .where('image_id', 'in', hidden)
    .groupBy('tag')
    .execute()
  return new Map(rows.map(({ tag, images }) => [tag, Number(images)]))
}

async function coloursOf({ db }: Deps, { account }: UserCaller, tags: readonly Count[]) {
  if (tags.length === 0) return new Map<string, Tag['colour']>()
  const names = tags.map(({ name }) => name)
  const rows = await db
    .selectFrom('tags')
    .select(['name', 'colour'])
    .where('owner_id', '=', account.id)
    .where('name', 'in', names)
    .execute()
  return new Map<string, Tag['colour']>(rows.map(({ name, colour }) => [name, colour]))
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

const isWithin = (column: string, tag: string) => {
  const name = sql.ref(column)
  return sql<boolean>`(${name} = ${tag} or (${name} > ${`${tag}/`} and ${name} < ${`${tag}0`}))`
}

/** The tag and those below it that images have. */
async function tagsWithin(db: Kysely<Schema>, { account }: UserCaller, tag: string): Promise<string[]> {
  const rows = await db
    .selectFrom('image_tags')
    .select('tag')
    .distinct()
    .where('owner_id', '=', account.id)
    .where(isWithin('tag', tag))
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
        .where(isWithin('tag', tag))
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
      where image_id in (${sql.join(ids)}) and ${isWithin('tag', tag)}
      on conflict do nothing`.execute(db)
  await db.deleteFrom('image_tags').where('image_id', 'in', ids).where(isWithin('tag', tag)).execute()
  await writeTagsOfImages(db, ids)
  return ids.length
}

/** Of two tags that become one, the other's colour stays. */
async function moveColours(db: Kysely<Schema>, ownerId: string, tag: string, newName: string | null): Promise<void> {
  if (newName !== null)
    await sql`
      insert into tags (owner_id, name, colour)
      select owner_id, ${newName} || substr(name, length(${tag}) + 1), colour from tags
      where owner_id = ${ownerId} and ${isWithin('name', tag)}
      on conflict do nothing`.execute(db)
  await db.deleteFrom('tags').where('owner_id', '=', ownerId).where(isWithin('name', tag)).execute()
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
