import { access, open, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { moveDurably } from '../blobs/durable.ts'
import { withDataDirLock } from '../db/data-dir-lock.ts'
import type { Manifest } from '../domain/database/archive-format.ts'
import { takeBackup } from '../domain/database/backup-run.ts'
import { check } from '../domain/database/verify-store.ts'
import { CommandRefused } from '../domain/database/command-refused.ts'
import { restore } from '../domain/database/restore-backup.ts'
import { writeArchive } from '../domain/database/write-archive.ts'
import type { Deps } from '../domain/deps.ts'
import { bytesText, type Command, named } from './command.ts'

export const backupCommands = {
  backup: {
    usage: 'backup [FILE]',
    help: 'saves all rows and image bytes of one moment in one archive',
    details:
      'Without FILE the archive goes into DATA_DIR/backups and is listed like those that admins start; with FILE it goes\n' +
      'there and is not listed. The server may run meanwhile. Exits with 1 when bytes of images were missing or damaged.',
    async run({ deps, args, say }) {
      const { path, manifest } = await untilStopped((signal) =>
        args.length === 0 ? takeBackup(deps, 'cli', signal) : saveTo(deps, named(args, 'FILE').FILE, signal),
      )
      say(`${path}: ${contents(manifest)}.`)
      return printLeftOut(manifest, say)
    },
  },

  restore: {
    usage: 'restore FILE',
    help: 'puts a backup into an empty instance, after verifying every checksum',
    details:
      'DATA_DIR, DATABASE_URL and S3_* name the instance, of either database and either store, whatever the backup is\n' +
      'from. No server may run on it. Everyone logs in again afterwards.',
    async run({ deps, args, say }) {
      const { FILE } = named(args, 'FILE')
      const manifest = await withDataDirLock(deps.config.DATA_DIR, () => restore(deps, resolve(FILE)))
      say(`Restored ${contents(manifest)}, as they were at ${manifest.created_at}.`)
      return printLeftOut(manifest, say)
    },
  },

  check: {
    usage: 'check',
    help: 'reads every original: whether it has its row, and the checksum of it',
    details: 'The server may run meanwhile. Every problem is a line; exits with 1 when there is one.',
    async run({ deps, args, say }) {
      named(args)
      const count = { images: 0, bytes: 0 }
      let problems = 0
      for await (const { imageId, what } of check(deps, count)) {
        problems++
        say(`${imageId}  ${what}`)
      }
      say(
        `${count.images} images, ${bytesText(count.bytes)}: ${problems === 0 ? 'all is well' : `${problems} problems`}.`,
      )
      return problems === 0 ? 0 : 1
    },
  },
} satisfies Record<string, Command>

async function saveTo(deps: Deps, file: string, signal: AbortSignal): Promise<{ path: string; manifest: Manifest }> {
  const path = resolve(file)
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) throw new CommandRefused(`${path} is there already`)
  const unfinished = `${path}.part`
  // Detects an unwritable file now, not after an hour of reading.
  await (await open(unfinished, 'w', 0o600)).close()
  try {
    const manifest = await writeArchive(deps, unfinished, { signal })
    await moveDurably(unfinished, path)
    return { path, manifest }
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** The first Ctrl-C aborts the work, which then cleans up. */
async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  const stop = () => stopping.abort(new CommandRefused('Stopped'))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await work(stopping.signal)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

function contents({ tables, originals }: Manifest): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  return `${originals.count} images of ${bytesText(originals.bytes)}, ${rows} rows`
}

/** Images deleted while the backup ran are not reported. */
function printLeftOut({ left_out: leftOut }: Manifest, say: (line: string) => void): number {
  const lost = leftOut.filter(({ why }) => why !== 'deleted')
  for (const { id, why } of lost) say(`${id}  was left out: its bytes are ${why}`)
  return lost.length === 0 ? 0 : 1
}
