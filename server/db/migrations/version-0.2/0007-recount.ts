import { type Kysely, sql } from 'kysely'

/**
 * Migration 0005 started the counts at zero although images existed, so their owners' counts were too
 * low. Uploads and removals maintain the counts since then; correct counts do not change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update users set
      image_count = (select count(*) from images where owner_id = users.id),
      image_bytes = (select coalesce(sum(bytes), 0) from images where owner_id = users.id)`.execute(db)
}
