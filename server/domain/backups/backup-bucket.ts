// Backups in an S3 bucket (docs/decisions/0062): an archive of rows each, and every original once.
import { createHash } from 'node:crypto'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BackupBucket, BlobMissing, type BlobStore } from '../../blobs/blob-store.ts'
import type { BackupsTable } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { CommandRefused } from './command-refused.ts'
import { keysOf } from './find-originals.ts'
import { createNdjsonFile, readLines } from './ndjson-file.ts'
import { backupWorkPrefix, keptElsewhere, type OriginalsApart } from './write-archive.ts'

/** The name of a backup: its time, then which instance it is of. A restored instance is the same. */
export const bucketName = (deps: Pick<Deps, 'addressKey'>, createdAt: number) =>
  `${new Date(createdAt).toISOString().replace(/[:.]/g, '-')}-${instanceMark(deps)}`

const instanceMark = ({ addressKey }: Pick<Deps, 'addressKey'>) =>
  createHash('sha256').update('backups of ').update(addressKey).digest('hex').slice(0, 8)

/** @throws {CommandRefused} without BACKUP_S3_BUCKET, and an error that names the setting when it cannot be used */
export async function requireBackupBucket({ openBackupBucket }: Pick<Deps, 'openBackupBucket'>): Promise<BackupBucket> {
  if (openBackupBucket) return openBackupBucket()
  throw new CommandRefused('BACKUP_S3_BUCKET is not set: it names the bucket of the backups')
}

/** The names of its backups, newest first, by the clock of S3. */
export async function backupsIn({ rows }: BackupBucket): Promise<string[]> {
  const found: { key: string; modifiedAtMs: number }[] = []
  for await (const archive of rows.list()) found.push(archive)
  return found.toSorted((a, b) => b.modifiedAtMs - a.modifiedAtMs || (a.key < b.key ? 1 : -1)).map(({ key }) => key)
}

interface BucketBackup {
  by: BackupsTable['taken_by']
  name: string
  isRowsOnly: boolean
  signal: AbortSignal
}

/**
 * Begins a backup in the bucket. One runs at a time: what it lists now is of earlier ones, so that it never deletes an
 * original that a later one needs.
 */
export async function beginBucketBackup(deps: Deps, { by, name, isRowsOnly, signal }: BucketBackup) {
  const bucket = await requireBackupBucket(deps)
  await assertSameInstance(deps, bucket)
  const there = await keysOf(bucket.originals)
  const work = await mkdtemp(join(deps.tempDir, backupWorkPrefix[by]))
  const list = await createNdjsonFile(join(work, 'list'))
  const uploaded = { originals: 0, bytes: 0 }
  const upload = (store: BlobStore, key: string, path: string) =>
    store.put(key, path, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      const reason = error instanceof Error ? error.message : String(error)
      throw new CommandRefused(`The bucket ${deps.config.BACKUP_S3_BUCKET} did not take ${key}: ${reason}`, {
        cause: error,
      })
    })
  const apart: OriginalsApart = {
    has: (id) => there.has(id),
    async put(id, bytes) {
      const path = join(work, `original-${id}`)
      await writeFile(path, bytes, { mode: 0o600 })
      await upload(bucket.originals, id, path)
      uploaded.originals++
      uploaded.bytes += bytes.length
    },
    kept: (id) => list.add(id),
  }

  return {
    // The list of a backup without originals names them too, so that those of earlier backups stay.
    apart: isRowsOnly ? { ...keptElsewhere, kept: apart.kept } : apart,
    uploaded,
    /** Uploads the archive last: it is there only when everything that it needs is. */
    async store(archive: string) {
      await list.close()
      await upload(bucket.lists, name, join(work, 'list'))
      signal.throwIfAborted()
      const rows = join(work, 'rows')
      // Not a hard link: the folder of backups may be on another disk.
      await symlink(archive, rows)
      await upload(bucket.rows, name, rows)
    },
    /** Deletes all but the newest backups, and originals that none of these needs. @returns the names of the newest */
    async prune(): Promise<string[]> {
      const names = await backupsIn(bucket)
      const kept = names.slice(0, deps.config.BACKUP_KEEP)
      for (const one of kept) for (const id of await neededBy(bucket, one)) there.delete(id)
      for (const one of names.slice(kept.length)) await bucket.rows.delete(one)
      for (const one of await keysOf(bucket.lists)) if (!kept.includes(one)) await bucket.lists.delete(one)
      for (const id of there) {
        signal.throwIfAborted()
        await bucket.originals.delete(id)
      }
      return kept
    },
    async close() {
      await list.discard()
      await rm(work, { recursive: true, force: true })
    },
  }
}

/** A new instance with the settings of a lost one must not replace its backups. @throws {CommandRefused} */
async function assertSameInstance({ config, addressKey }: Deps, bucket: BackupBucket): Promise<void> {
  const refusal = otherInstanceIn(await backupsIn(bucket), { bucket: config.BACKUP_S3_BUCKET, addressKey })
  if (refusal !== undefined) throw new CommandRefused(refusal)
}

/** @returns why an instance may not use a bucket with backups of these names; undefined when it may */
export function otherInstanceIn(
  names: readonly string[],
  { bucket, addressKey }: { bucket: string | undefined; addressKey: Uint8Array },
): string | undefined {
  const other = names.find((name) => !name.endsWith(instanceMark({ addressKey })))
  if (other === undefined) return undefined
  return (
    `The bucket ${bucket} has backups of another instance (${other}). Restore one of them into this ` +
    'instance while it is empty, or give each instance a bucket of its own: BACKUP_S3_BUCKET'
  )
}

/** The ids of the originals of a backup. */
async function neededBy({ lists }: BackupBucket, name: string): Promise<string[]> {
  await using list = await lists.openLocalFile(name)
  const ids: string[] = []
  for await (const id of readLines(list.path)) ids.push(id)
  return ids
}

/**
 * Calls `use` with the local file of an archive of rows.
 * @param name undefined for the newest
 * @throws {CommandRefused} when there is none of that name
 */
export async function withBackupFrom<T>(
  bucket: BackupBucket,
  name: string | undefined,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const names = await backupsIn(bucket)
  const chosen = name ?? names[0]
  if (chosen === undefined) throw new CommandRefused('The bucket has no backups')
  if (!names.includes(chosen))
    throw new CommandRefused(`The bucket has no backup ${chosen}. It has:\n${names.slice(0, 30).join('\n')}`)
  try {
    await using rows = await bucket.rows.openLocalFile(chosen)
    return await use(rows.path)
  } catch (error) {
    if (error instanceof BlobMissing)
      throw new CommandRefused(`The backup ${chosen} was deleted meanwhile`, { cause: error })
    throw error
  }
}
