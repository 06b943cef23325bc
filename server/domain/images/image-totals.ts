// Totals of all stored images. Triggers maintain them: the figures of a million images read a few
// rows.
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'

interface ImageTotals {
  images: number
  bytes: number
  guestImages: number
  guestBytes: number
}

/** Of all rows, expired or not. */
export async function imageTotals(db: Kysely<Schema>): Promise<ImageTotals> {
  const rows = await db
    .selectFrom('image_totals')
    .select((select) => [
      'guest',
      select.fn.sum<number>('images').as('images'),
      select.fn.sum<number>('bytes').as('bytes'),
    ])
    .groupBy('guest')
    .execute()
  const guests = rows.find(({ guest }) => guest === 1)
  return {
    images: rows.reduce((sum, row) => sum + row.images, 0),
    bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
    guestImages: guests?.images ?? 0,
    guestBytes: guests?.bytes ?? 0,
  }
}
