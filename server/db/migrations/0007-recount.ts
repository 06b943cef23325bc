import { type Kysely, sql } from 'kysely'

/**
 * 0005 began the counts at nothing, so whoever had images then was told too few. What is counted since is kept with each upload
 * and removal; a database that was counted right already stays as it is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update users set
      image_count = (select count(*) from images where owner_id = users.id),
      image_bytes = (select coalesce(sum(bytes), 0) from images where owner_id = users.id)`.execute(db)
}
