// Searches for a part of a text.
import { type RawBuilder, sql } from 'kysely'

/** Whether one of the columns contains the text, whatever its case. */
export function containsText(columns: string[], text: string): RawBuilder<boolean> {
  const pattern = `%${escapeLike(text.toLowerCase())}%`
  const matches = columns.map((column) => sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`)
  return sql`(${sql.join(matches, sql` or `)})`
}

/** The wildcards of LIKE as characters, for a pattern with `escape '\'`. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
