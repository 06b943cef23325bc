import { type Kysely, sql } from 'kysely'

/** Images that can be restored: few of many, so both indexes are partial. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of [
    ['images_undo', ['undo_until']],
    ['images_owner_undo', ['owner_id', 'undo_until', 'id']],
  ] as const) {
    await db.schema
      .createIndex(name)
      .on('images')
      .columns([...columns])
      .where(sql.ref('undo_until'), 'is not', null)
      .execute()
  }
}
