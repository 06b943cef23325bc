// Finds stored bytes without a row.
import type { Deps } from './deps.ts'

/** Returns those of the image ids that have no row. @param ids at most a few hundred */
export async function idsWithoutRow({ db }: Pick<Deps, 'db'>, ids: string[]): Promise<string[]> {
  const rows = await db.selectFrom('images').select('id').where('id', 'in', ids).execute()
  const known = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}
