// A database written by a future version, opened by the current product.
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { migrate } from '../../server/db/migrate.ts'
import { sha256 } from '../verify.ts'
import { runServer } from '../programs.ts'
import { sqliteFileIn } from '../sqlite-file.ts'
import { type Copy, settingsOf, using } from './databases.ts'
import { stateOf } from './database-state.ts'

const toCome = '9999-of-a-version-to-come'

/** @returns what was wrong with the refusal; empty: one sentence, an end that is not restarted, and an unchanged database */
export async function refusalOfNewer(copy: Copy): Promise<string[]> {
  await using(copy, async (db) => {
    await migrate(db)
    await sql`insert into kysely_migration (name, timestamp) values (${toCome}, '2100-01-01T00:00:00.000Z')`.execute(db)
  })
  const before = await fingerprint(copy)
  // One that starts is stopped: a refusal takes less than a minute.
  const { code, printed } = await runServer(copy.dataDir, settingsOf(copy), 60_000)
  const after = await fingerprint(copy)
  return [
    ...(code === 78 ? [] : [`it ended with ${String(code)}`]),
    ...(printed.includes(toCome) && printed.includes('newer version') ? [] : [`it said ${printed}`]),
    ...(printed.includes('    at ') ? [`it showed its insides: ${printed}`] : []),
    ...(before === after ? [] : ['the database was changed']),
  ]
}

/** For SQLite every byte of the file; for PostgreSQL its content. */
async function fingerprint(copy: Copy): Promise<string> {
  if (copy.url === undefined) return sha256(await readFile(sqliteFileIn(copy.dataDir)))
  return using(copy, async (db) => JSON.stringify(await stateOf(db)))
}
