// The tags of an account, with how many images have them.
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Input } from '../../../../contract/endpoints/api.ts'
import type { Tag } from '../../../../contract/endpoints/tags.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { normalizeTag } from '../../../../contract/plain/tag-names.ts'
import type { UserCaller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { type Page, readCursor, toPage, writeCursor } from '../../shared/keyset-page.ts'

/** @throws {Failure} invalid_input: an invalid cursor */
export async function listTags(
  deps: Deps,
  { caller, query }: { caller: UserCaller } & Pick<Input<'listTags'>, 'query'>,
): Promise<Page<Tag>> {
  const { q = '', sort = 'name', limit = limits.list.defaultLimit, cursor } = query
  const counts = await countTags(deps, caller)
  // A slash at the end is of a tag that is being typed.
  const part = q.endsWith('/') ? `${normalizeTag(q) ?? ''}/` : (normalizeTag(q) ?? '')
  const compare = compareBy[sort]
  const found = counts
    .filter(({ name, images }) => images > 0 && name.includes(part))
    .map(ordered)
    .toSorted(compare)
  const after = cursor === undefined ? undefined : readCursor(`tags ${sort}`, 'number', cursor)
  const last = after && ordered({ name: after.id, images: Number(after.value) })
  const rest = last ? found.filter((tag) => compare(tag, last) > 0) : found
  const page = toPage(rest.slice(0, limit + 1), limit, found.length, {
    show: ({ name, images }) => ({ name, images }),
    cursorOf: ({ name, images }) => writeCursor(`tags ${sort}`, { value: images, id: name }),
  })
  const colours = await coloursOf(deps, caller, page.items)
  return { ...page, items: page.items.map((tag) => ({ ...tag, colour: colours.get(tag.name) ?? null })) }
}

type Count = Pick<Tag, 'name' | 'images'>
type Ordered = Count & { order: string }

/** Orders each tag before those below it, and these before any other: a slash comes before all characters of names. */
const ordered = (tag: Count): Ordered => ({ ...tag, order: tag.name.replaceAll('/', '\0') })
const byName = (a: Ordered, b: Ordered) => (a.order < b.order ? -1 : Number(a.order > b.order))
const compareBy = { name: byName, images: (a: Ordered, b: Ordered) => b.images - a.images || byName(a, b) }

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
