import { type Kysely, sql } from 'kysely'

/** Who made the older accounts is in the audit log. Without an entry an account may have registered itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('self_registered', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
  await sql`update users set self_registered = 0 where role = 'admin' or id in
    (select target from audit_log where action = 'user_created' and target is not null and actor <> target)`.execute(db)
}
