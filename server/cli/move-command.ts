import { openBlobs, openDatabase } from '../open-deps.ts'
import { withDataDirLock } from '../db/data-dir-lock.ts'
import { copyOriginals, copyRows } from '../domain/database/move-instance.ts'
import type { Deps } from '../domain/deps.ts'
import { type Command, named, type Task, UsageError } from './command.ts'

export const moveCommand: Command = {
  usage: 'move [--to-database URL | --to-sqlite] [--to-s3 | --to-disk]',
  help: 'copies all rows to another database, all originals to another store',
  details:
    '  --to-database URL   rows go from the database of the settings to this PostgreSQL\n' +
    '  --to-sqlite         rows go from DATABASE_URL to SQLite in DATA_DIR\n' +
    '  --to-s3             originals go from DATA_DIR to the bucket of S3_BUCKET\n' +
    '  --to-disk           originals go from the bucket of S3_BUCKET to DATA_DIR\n' +
    'Stop the server first, and change its settings afterwards. Every row and checksum is compared at the other end;\n' +
    'nothing is deleted here. A second run brings only what is new.',
  options: {
    'to-database': { type: 'string' },
    'to-sqlite': { type: 'boolean' },
    'to-s3': { type: 'boolean' },
    'to-disk': { type: 'boolean' },
  },
  async run({ deps, args, options, say }) {
    named(args)
    const url = targetDatabase(deps.config.DATABASE_URL, options)
    const toStore = targetStore(deps.config.S3_BUCKET, options)
    if (url === null && toStore === null) throw new UsageError('move needs to know where to')

    await withDataDirLock(deps.config.DATA_DIR, async () => {
      if (toStore !== null) await moveStore(deps, toStore, say)
      if (url !== null) await moveDatabase(deps, url, say)
    })
  },
}

async function moveStore(deps: Deps, toStore: 's3' | 'disk', say: Task['say']): Promise<void> {
  const disk = await openBlobs({ ...deps.config, S3_BUCKET: undefined })
  const [from, to] = toStore === 's3' ? [disk, deps.blobs] : [deps.blobs, disk]
  const { copied, there } = await copyOriginals({ ...deps, blobs: from }, to)
  say(`Originals: ${copied} copied, ${there} were there already.`)
}

async function moveDatabase(deps: Deps, url: string | undefined, say: Task['say']): Promise<void> {
  const { db } = await openDatabase({ DATA_DIR: deps.config.DATA_DIR, DATABASE_URL: url }, deps.log)
  try {
    const { copied, there } = await copyRows(deps, db)
    say(`Rows: ${copied} copied, ${there} were there already.`)
  } finally {
    await db.destroy()
  }
}

/** Returns a URL, undefined for SQLite, or null for no move. */
function targetDatabase(current: string | undefined, options: Record<string, unknown>): string | undefined | null {
  const url = options['to-database']
  if (options['to-sqlite'] === true) {
    if (url !== undefined) throw new UsageError('--to-database and --to-sqlite do not go together')
    if (current === undefined) throw new UsageError('--to-sqlite needs DATABASE_URL: where the rows are now')
    return undefined
  }
  if (typeof url !== 'string') return null
  if (!/^postgres(ql)?:\/\/\S+$/.test(url)) {
    throw new UsageError('--to-database must look like postgres://user:password@host:5432/database')
  }
  if (url === current) throw new UsageError('--to-database is the database of DATABASE_URL')
  return url
}

function targetStore(bucket: string | undefined, options: Record<string, unknown>): 's3' | 'disk' | null {
  const [toS3, toDisk] = [options['to-s3'] === true, options['to-disk'] === true]
  if (toS3 && toDisk) throw new UsageError('--to-s3 and --to-disk do not go together')
  if (!toS3 && !toDisk) return null
  if (bucket === undefined) throw new UsageError(`${toS3 ? '--to-s3' : '--to-disk'} needs S3_BUCKET`)
  return toS3 ? 's3' : 'disk'
}
