import { open, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { BlobStore } from '../blobs/blob-store.ts'
import { moveDurably, nullWhenMissing } from '../blobs/durable.ts'
import { withOwnDataDir } from '../take-data-dir.ts'
import type { Manifest } from '../domain/backups/archive-format.ts'
import { requireBackupBucket, withBackupFrom } from '../domain/backups/backup-bucket.ts'
import { removeAbandonedArchives, spaceFor, unfinished } from '../domain/backups/backup-files.ts'
import { becameFull, takeBackup, type TakenBackup } from '../domain/backups/backup-run.ts'
import { verifyOriginals } from '../domain/backups/verify-store.ts'
import { CommandRefused } from '../domain/backups/command-refused.ts'
import { audit, auditAlone } from '../domain/audit/audit.ts'
import { restoreBackup } from '../domain/backups/restore-backup.ts'
import { type ArchiveOptions, keptElsewhere, writeArchive } from '../domain/backups/write-archive.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { DiskFull, isDiskFull } from '../domain/shared/disk-space.ts'
import { imageTotals } from '../domain/images/image-totals.ts'
import { bytesText, type Command, namedArguments } from '../command.ts'
import { untilStopped } from './until-stopped.ts'

export const backupCommands = {
  backup: {
    usage: 'backup [--rows-only] [FILE | s3]',
    help: 'writes a consistent snapshot of all rows and image bytes to one archive',
    details:
      '  --rows-only   without the originals. They never change: copy them with a program such as restic or rclone\n' +
      'Without FILE the archive is written to DATA_DIR/backups and listed with the other backups; with FILE it is written\n' +
      'to FILE and not listed. With s3 the rows are uploaded to the bucket of BACKUP_S3_BUCKET, and the originals that it\n' +
      'does not have yet; the newest BACKUP_KEEP backups remain there. The server may be running. Exits with 1 when\n' +
      'originals are missing or damaged.',
    options: { 'rows-only': { type: 'boolean' } },
    async run({ deps, args, options, print }) {
      const isRowsOnly = options['rows-only'] === true
      const { path, manifest, uploaded } = await untilStopped<TakenBackup>('The backup was stopped', (signal) => {
        const run = { by: 'cli' as const, signal, isRowsOnly }
        if (args.length === 0) return takeBackup(deps, run)
        const { FILE } = namedArguments(args, 'FILE')
        if (FILE === 's3') return takeBackup(deps, { ...run, place: 's3' })
        return saveTo(deps, FILE, { by: 'cli', signal, apart: isRowsOnly ? keptElsewhere : undefined })
      })
      const copied = uploaded && `; ${uploaded.originals} new originals of ${bytesText(uploaded.bytes)} uploaded`
      print(`${path}: ${contents(manifest)}${copied ?? ''}.`)
      return printOmittedImages(manifest, print)
    },
  },

  restore: {
    usage: 'restore FILE|s3[:NAME] [--partial]',
    help: 'restores a backup into an empty instance, after verifying every checksum',
    details:
      '  --partial   without the images whose originals are missing or damaged\n' +
      'DATA_DIR, DATABASE_URL and S3_* select the instance. Its database and store may differ from those of the backup.\n' +
      's3 is the newest backup in the bucket of BACKUP_S3_BUCKET; s3:NAME is another, and a wrong name lists them all.\n' +
      'The originals of a backup of rows must be in its store before. The server deletes originals that are not in the\n' +
      'backup the night after. No server may be running on it. All users must log in again afterwards.',
    options: { partial: { type: 'boolean' } },
    async run({ deps, args, options, print }) {
      const { FILE } = namedArguments(args, 'FILE')
      const restore = (path: string, from?: BlobStore) =>
        restoreBackup(deps, path, {
          from,
          isPartial: options['partial'] === true,
          onRestored: (db, restored) =>
            audit(
              { ...deps, db },
              {
                actor: 'command_line',
                action: 'backup_restored',
                details: { created_at: restored.created_at, images: imagesIn(restored) },
              },
            ),
        })
      const [, isInBucket, name] = /^(s3)(?::(.+))?$/.exec(FILE) ?? []
      const manifest = await withOwnDataDir(deps.config, print, async () => {
        if (isInBucket === undefined) return restore(resolve(FILE))
        const bucket = await requireBackupBucket(deps)
        return withBackupFrom(bucket, name, (path) => restore(path, bucket.originals))
      })
      print(`Restored ${contents(manifest)}, from a backup of ${manifest.created_at}.`)
      return printOmittedImages(manifest, print)
    },
  },

  check: {
    usage: 'check',
    help: 'reads every original and verifies its row and checksum',
    details: 'The server may be running. Prints one line for each problem and exits with 1 when there are any.',
    async run({ deps, args, print }) {
      namedArguments(args)
      const count = { images: 0, bytes: 0 }
      let problems = 0
      for await (const { imageId, what } of verifyOriginals(deps, count)) {
        problems++
        print(`${imageId}  ${what}`)
      }
      print(
        `${count.images} images, ${bytesText(count.bytes)}: ${problems === 0 ? 'no problems' : `${problems} problems`}.`,
      )
      return problems === 0 ? 0 : 1
    },
  },
} satisfies Record<string, Command>

async function saveTo(deps: Deps, file: string, options: ArchiveOptions): Promise<TakenBackup> {
  const path = resolve(file)
  if (await stat(path).catch(nullWhenMissing)) throw new CommandRefused(`${path} already exists`)
  const folder = dirname(path)
  if (!(await stat(folder).catch(nullWhenMissing))?.isDirectory())
    throw new CommandRefused(`There is no folder ${folder}`)
  await removeAbandonedArchives(folder, deps.now())
  if (!options.apart) await assertArchiveSpace(deps, folder)
  const part = path + unfinished
  // Detects an unwritable file now, not after an hour of reading.
  await (await open(part, 'w', 0o600)).close()
  try {
    // Before the archive exists, as with listed backups.
    await auditAlone(deps, { actor: 'command_line', action: 'backup_created', details: { file: path } })
    const manifest = await writeArchive(deps, part, options)
    await moveDurably(part, path)
    return { path, manifest }
  } catch (error) {
    if (!isDiskFull(error)) throw error
    throw new DiskFull(becameFull(`${folder} or of ${deps.config.DATA_DIR}`), { cause: error })
  } finally {
    await rm(part, { force: true })
  }
}

/** @throws {CommandRefused} */
async function assertArchiveSpace({ db }: Deps, folder: string): Promise<void> {
  const { neededBytes, freeBytes } = await spaceFor(folder, (await imageTotals(db)).bytes)
  if (freeBytes >= neededBytes) return
  throw new CommandRefused(
    `Not enough disk space in ${folder}: the backup needs about ${bytesText(neededBytes)}, ${bytesText(freeBytes)} are free`,
  )
}

function contents(manifest: Manifest): string {
  const { tables, originals, rows_only: isRowsOnly } = manifest
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  const images = isRowsOnly
    ? `the rows of ${imagesIn(manifest)} images`
    : `${originals.count} images of ${bytesText(originals.bytes)}`
  return `${images}, ${rows} rows`
}

const imagesIn = ({ tables, left_out: leftOut }: Manifest) => (tables['images']?.rows ?? 0) - leftOut.length

/** Images deleted while the backup ran are not reported. */
function printOmittedImages({ left_out: leftOut }: Manifest, print: (line: string) => void): number {
  const lost = leftOut.filter(({ why }) => why !== 'deleted')
  for (const { id, why } of lost) print(`${id}  is not in the backup: its bytes are ${why}`)
  return lost.length === 0 ? 0 : 1
}
