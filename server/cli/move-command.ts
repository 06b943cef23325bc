import { openBlobs, openDatabase } from '../open-deps.ts'
import { withOwnDataDir } from '../take-data-dir.ts'
import { auditAlone } from '../domain/audit/audit.ts'
import { copyOriginals, copyRows } from '../domain/backups/move-instance.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { type Command, namedArguments, type Task, UsageError } from '../command.ts'

export const moveCommand: Command = {
  usage: 'move [--to-database URL | --to-sqlite] [--to-s3 | --to-disk]',
  help: 'copies all rows to another database and all originals to another store',
  details:
    '  --to-database URL   copies rows from the configured database to this PostgreSQL\n' +
    '  --to-sqlite         copies rows from DATABASE_URL to SQLite in DATA_DIR\n' +
    '  --to-s3             copies originals from DATA_DIR to the bucket of S3_BUCKET\n' +
    '  --to-disk           copies originals from the bucket of S3_BUCKET to DATA_DIR\n' +
    'Stop the server first, and change its settings afterwards. Every row and checksum is verified at the target, and\n' +
    'nothing is deleted from the source. A second run copies only new data.',
  options: {
    'to-database': { type: 'string' },
    'to-sqlite': { type: 'boolean' },
    'to-s3': { type: 'boolean' },
    'to-disk': { type: 'boolean' },
  },
  async run({ deps, args, options, print }) {
    namedArguments(args)
    const url = targetDatabase(deps.config.DATABASE_URL, options)
    const toStore = targetStore(deps.config.S3_BUCKET, options)
    if (url === null && toStore === null) throw new UsageError('no target is given')

    await withOwnDataDir(deps.config, print, async () => {
      if (toStore !== null) await moveStore(deps, toStore, print)
      if (url !== null) await moveDatabase(deps, url, print)
    })
  },
}

async function moveStore(deps: Deps, toStore: 's3' | 'disk', print: Task['print']): Promise<void> {
  const disk = await openBlobs({ ...deps.config, S3_BUCKET: undefined })
  const [from, to] = toStore === 's3' ? [disk, deps.blobs] : [deps.blobs, disk]
  await auditAlone(deps, { actor: 'command_line', action: 'instance_copied', details: { originals: toStore } })
  const { copied, there } = await copyOriginals({ ...deps, blobs: from }, to)
  print(`Originals: ${copied} copied, ${there} already existed.`)
}

async function moveDatabase(deps: Deps, url: string | undefined, print: Task['print']): Promise<void> {
  const { db } = await openDatabase({ ...deps.config, DATABASE_URL: url }, deps.log, { ownsDataDir: true })
  try {
    const details = { rows: url === undefined ? 'sqlite' : 'postgresql' }
    await auditAlone(deps, { actor: 'command_line', action: 'instance_copied', details })
    const { copied, there } = await copyRows(deps, db)
    print(`Rows: ${copied} copied, ${there} already existed.`)
  } finally {
    await db.destroy()
  }
}

/** Returns a URL, undefined for SQLite, or null for no move. */
function targetDatabase(current: string | undefined, options: Record<string, unknown>): string | undefined | null {
  const url = options['to-database']
  if (options['to-sqlite'] === true) {
    if (url !== undefined) throw new UsageError('--to-database and --to-sqlite cannot be combined')
    if (current === undefined) throw new UsageError('--to-sqlite needs DATABASE_URL, the database to copy from')
    return undefined
  }
  if (typeof url !== 'string') return null
  if (!/^postgres(ql)?:\/\/\S+$/.test(url)) {
    throw new UsageError('--to-database must look like postgres://user:password@host:5432/database')
  }
  if (url === current) throw new UsageError('--to-database names the database of DATABASE_URL')
  return url
}

function targetStore(bucket: string | undefined, options: Record<string, unknown>): 's3' | 'disk' | null {
  const [toS3, toDisk] = [options['to-s3'] === true, options['to-disk'] === true]
  if (toS3 && toDisk) throw new UsageError('--to-s3 and --to-disk cannot be combined')
  if (!toS3 && !toDisk) return null
  if (bucket === undefined) throw new UsageError(`${toS3 ? '--to-s3' : '--to-disk'} needs S3_BUCKET`)
  return toS3 ? 's3' : 'disk'
}
