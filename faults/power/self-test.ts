// Verifies the power cut layer with a process of known results: otherwise a run without losses would prove nothing.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runScript } from '../programs.ts'
import { withDeferred } from '../resources.ts'
import { withSqliteFile } from '../sqlite-file.ts'
import { openCuttableFolder } from './cut.ts'
import { loseAllUnsynced } from './disk.ts'

const processUnderTest = fileURLToPath(new URL('process-under-test.mjs', import.meta.url))
const whole = 'as it was before'

/** The expected content after the cut; null: no file of that name. */
const fates: Record<string, string | null> = {
  unsynced: '',
  synced: 'these bytes were synced',
  linked: 'these bytes were synced',
  nameless: null,
  'linked-later': null,
  'old-name': whole,
  'new-name': null,
  deleted: whole,
  overwritten: whole,
}
/** Rows after the cut: a commit is as durable as the database was configured, so its calls must be visible to the layer. */
const rows = { 'full.sqlite': 1, 'off.sqlite': 0 }

/** @returns where the layer was wrong about what it must preserve or discard */
export const selfTestFailures = (): Promise<string[]> =>
  withDeferred(async (defer) => {
    const outlet = await openCuttableFolder(defer)
    for (const name of ['old-name', 'deleted', 'overwritten']) await writeFile(join(outlet.folder, name), whole)
    const { signal, printed } = await runScript([processUnderTest, outlet.folder], await outlet.plugIn())
    if (signal !== 'SIGKILL') return [`the self-test did not reach its end: ${printed}`]
    await outlet.cut(() => loseAllUnsynced)
    return [...(await wrongFiles(outlet.folder)), ...(await wrongRows(outlet.folder))]
  })

async function wrongFiles(folder: string): Promise<string[]> {
  const wrongs: string[] = []
  for (const [name, fate] of Object.entries(fates)) {
    const found = await readFile(join(folder, name), 'utf8').catch(() => null)
    if (found !== fate) wrongs.push(`${name}: ${JSON.stringify(found)} instead of ${JSON.stringify(fate)}`)
  }
  return wrongs
}

async function wrongRows(folder: string): Promise<string[]> {
  const wrongs: string[] = []
  for (const [name, wanted] of Object.entries(rows)) {
    const found = await withSqliteFile(join(folder, name), (database) =>
      Number(database.prepare('SELECT count(*) AS n FROM t').get()?.['n']),
    )
    if (found !== wanted) wrongs.push(`${name}: ${found} rows instead of ${wanted}`)
  }
  return wrongs
}
