import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('report_cases')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('image_id', 'text', (c) => c.notNull())
    .addColumn('original_name', 'text', (c) => c.notNull())
    .addColumn('owner_id', 'text')
    .addColumn('opened_at', 'bigint', (c) => c.notNull())
    .addColumn('report_count', 'integer', (c) => c.notNull())
    .addColumn('announced_at', 'bigint')
    .addColumn('decision', 'text')
    .addColumn('note', 'text')
    .addColumn('decided_at', 'bigint')
    .addColumn('decided_by', 'text')
    .execute()
  // An image has one open case at most.
  await db.schema
    .createIndex('report_cases_open')
    .unique()
    .on('report_cases')
    .column('image_id')
    .where(sql.ref('decided_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('report_cases_queue')
    .on('report_cases')
    .columns(['opened_at', 'id'])
    .where(sql.ref('decided_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('report_cases_decided')
    .on('report_cases')
    .columns(['decided_at', 'id'])
    .where(sql.ref('decided_at'), 'is not', null)
    .execute()

  await db.schema
    .createTable('reports')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('case_id', 'text', (c) => c.notNull().references('report_cases.id').onDelete('cascade'))
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('comment', 'text', (c) => c.notNull())
    .addColumn('email', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('reports_case').on('reports').columns(['case_id', 'created_at', 'id']).execute()

  await db.schema
    .alterTable('outgoing_mail')
    .addColumn('is_notice', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
