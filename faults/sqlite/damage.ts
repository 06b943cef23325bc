// A damaged database file: a start on it is refused and names the file; a running server continues to respond.
import { cp, open, readFile, stat, truncate } from 'node:fs/promises'
import type { RunningServer } from '../../e2e/server.ts'
import { call, store, upload } from '../client.ts'
import { sha256 } from '../verify.ts'
import { malformed } from '../failure-response.ts'
import { runServer } from '../programs.ts'
import { withFolder } from '../resources.ts'
import { sqliteFileIn, withSqliteFile } from '../sqlite-file.ts'
import { untilTrue } from '../until.ts'

const pageBytes = 4096
/** A start that is refused takes less. */
const startWithinMs = 20_000

const damages: Record<string, (path: string) => Promise<void>> = {
  'its header': (path) => corruptPage(path, 0, 1),
  'a page in the middle': async (path) => corruptPage(path, Math.floor((await stat(path)).size / pageBytes / 2), 1),
  'half of it cut off': async (path) => truncate(path, Math.floor((await stat(path)).size / 2)),
  'another kind of file': async (path) => truncate(path, 0).then(() => corruptPage(path, 0, 20)),
}

/**
 * @param dataDir of a stopped server; not modified
 * @param kinds the maximum number of kinds of damage to try
 * @returns what went wrong, and how many starts were tried
 */
export async function tryStartsOnDamagedFile(
  dataDir: string,
  kinds: number,
): Promise<{ tried: number; violations: string[] }> {
  await checkpoint(sqliteFileIn(dataDir))
  const wanted = Object.entries(damages).slice(0, kinds)
  const found = await Promise.all(wanted.map(([what, damage]) => startOn(dataDir, what, damage)))
  return { tried: found.length, violations: found.flat() }
}

const startOn = (dataDir: string, what: string, damage: (path: string) => Promise<void>): Promise<string[]> =>
  withFolder(async (folder) => {
    const path = sqliteFileIn(folder)
    await cp(sqliteFileIn(dataDir), path)
    await damage(path)
    const before = sha256(await readFile(path))
    const { code, printed } = await runServer(folder, { LOG_LEVEL: 'warn' }, startWithinMs)
    const violations = []
    if (code !== 1) violations.push(`exit ${code}`)
    if (!printed.includes(path)) violations.push('the file is not named')
    if (/^ {4}at /m.test(printed)) violations.push('a stack trace is shown')
    if (sha256(await readFile(path)) !== before) violations.push('the file was changed')
    return violations.map((violation) => `${what}: ${violation}`)
  })

/** Damages every page but the first under a running server. @returns what went wrong */
export async function damageWhileServing(server: RunningServer, picture: Buffer): Promise<string[]> {
  const path = sqliteFileIn(server.dataDir)
  const { id } = await store(server.url, picture)
  // A commit of another connection also invalidates the server's page cache.
  await checkpoint(path)
  await corruptPage(path, 1, Math.floor((await stat(path)).size / pageBytes) - 1)
  const violations: string[] = []
  const replies = [
    await call(`${server.url}/api/thumbnail/${id}/400`),
    await upload(server.url, picture),
    await call(`${server.url}/api/images/${id}`, { method: 'DELETE' }),
  ]
  for (const reply of replies) {
    if (reply.status !== 500 && reply.status !== 503) violations.push(`status ${reply.status}`)
    const violation = malformed(reply)
    if (violation !== undefined) violations.push(violation)
  }
  if ((await call(`${server.url}/api/limits`)).status !== 200) violations.push('what needs no database is not served')
  const isLogged = () => server.log().includes(`The database file ${path} is damaged`)
  // Lines are written in batches.
  if ((await untilTrue(isLogged, 5000)) === Infinity) violations.push('the log does not name the file')
  return violations
}

/** Checkpoints the -wal file into the database file. */
const checkpoint = (path: string): Promise<void> =>
  withSqliteFile(path, (database) =>
    database.exec('PRAGMA user_version = 7; PRAGMA user_version = 0; PRAGMA wal_checkpoint(TRUNCATE)'),
  )

async function corruptPage(path: string, page: number, pages: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.write(Buffer.alloc(pages * pageBytes, 0xa5), 0, pages * pageBytes, page * pageBytes)
  } finally {
    await file.close()
  }
}
