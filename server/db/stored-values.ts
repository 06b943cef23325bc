// The table settings: values of the product's own that all servers of a database share.
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

export async function findStoredValue(db: Kysely<Schema>, name: string): Promise<string | undefined> {
  const found = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return found?.value
}

/** Replaces the value. In a transaction it locks the row until the end. */
export async function storeValue(db: Kysely<Schema>, name: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** @returns whether it did: another server may have been faster */
export async function storeFirstValue(db: Kysely<Schema>, name: string, value: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
