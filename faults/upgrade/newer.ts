// A database written by a future version, opened by the current product.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { migrate } from '../../server/db/migrate.ts'
import { sha256 } from '../ledger.ts'
import { type Copy, fileOf, using } from './databases.ts'
import { stateOf } from './database-state.ts'

const main = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url))
const toCome = '9999-of-a-version-to-come'

/** @returns what was wrong with the refusal; empty when it was one sentence, exit code 1 and an unchanged database */
export async function refusalOfNewer(copy: Copy): Promise<string[]> {
  await using(copy, async (db) => {
    await migrate(db)
    await sql`insert into kysely_migration (name, timestamp) values (${toCome}, '2100-01-01T00:00:00.000Z')`.execute(db)
  })
  const before = await fingerprint(copy)
  const { code, stderr } = await start(copy)
  const after = await fingerprint(copy)
  return [
    ...(code === 1 ? [] : [`it ended with ${String(code)}`]),
    ...(stderr.includes(toCome) && stderr.includes('newer version') ? [] : [`it said ${stderr}`]),
    ...(stderr.includes('    at ') ? [`it showed its insides: ${stderr}`] : []),
    ...(before === after ? [] : ['the database was changed']),
  ]
}

async function start({ dataDir, url }: Copy): Promise<{ code: unknown; stderr: string }> {
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: dataDir,
    PORT: '0',
    ...(url === undefined ? {} : { DATABASE_URL: url, JWT_SECRET: 'a secret of the harness, long enough' }),
  }
  try {
    // One that starts is stopped: a refusal takes less than a minute.
    const { stderr } = await promisify(execFile)(process.execPath, [main], { env, timeout: 60_000 })
    return { code: 0, stderr }
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
    return { code, stderr }
  }
}

/** For SQLite every byte of the file; for PostgreSQL its content. */
async function fingerprint(copy: Copy): Promise<string> {
  if (copy.url === undefined) return sha256(await readFile(fileOf(copy)))
  return using(copy, async (db) => JSON.stringify(await stateOf(db)))
}
