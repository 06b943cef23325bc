import type { Input } from '../../../../contract/endpoints/api.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { insertTagRows, writeTagsOfImages } from '../../../db/image-tags.ts'
import type { UserCaller } from '../../shared/caller.ts'
import type { Deps } from '../../shared/deps.ts'
import { Failure } from '../../shared/failure.ts'
import { tagsOf } from '../image-row.ts'

/**
 * Adds and removes tags of several images of the caller. What is removed and added at once stays.
 * @throws {Failure} too_many_tags: nothing is changed
 */
export async function tagImages(
  deps: Deps,
  { caller, body: { ids, add = [], remove = [] } }: { caller: UserCaller } & Pick<Input<'tagImages'>, 'body'>,
) {
  const ownerId = caller.account.id
  const images = await deps.db.transaction().execute(async (db) => {
    const own = db
      .updateTable('images')
      // Locks the rows, and is the first statement of the transaction: SQLite does not wait when one upgrades to writing.
      .set((row) => ({ tags: row.ref('tags') }))
      .where('id', 'in', ids)
      .where('owner_id', '=', ownerId)
      .where('expires_at', '>', deps.now())
      .where('quarantined_at', 'is', null)
      .returning(['id', 'tags'])
    const found = (await own.execute()).map((row) => ({ id: row.id, before: tagsOf(row) }))
    const changed = found.map(({ id, before }) => {
      const tags = [...new Set([...before.filter((tag) => !remove.includes(tag)), ...add])].toSorted()
      if (tags.length > limits.tags.maxPerImage) throw new Failure('too_many_tags', { limit: limits.tags.maxPerImage })
      const added = tags.filter((tag) => !before.includes(tag))
      return { id, tags, added, removed: before.filter((tag) => !tags.includes(tag)) }
    })
    const changedIds = changed.map(({ id }) => id)
    if (changedIds.length > 0 && remove.length > 0)
      await db.deleteFrom('image_tags').where('image_id', 'in', changedIds).where('tag', 'in', remove).execute()
    await insertTagRows(
      db,
      changed.flatMap(({ id, added }) => added.map((tag) => ({ image_id: id, owner_id: ownerId, tag }))),
    )
    await writeTagsOfImages(db, changedIds)
    return changed
  })
  return { success: true as const, images }
}
