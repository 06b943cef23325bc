// The resumable uploads that this server has (docs/decisions/0059). Of each, a folder holds the received
// bytes, and beside them a record, so that both survive a restart.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../../../contract/plain/limits.ts'
import { makeFolder, moveDurably, nullWhenMissing, removeFile } from '../../blobs/durable.ts'
import { Failure } from '../shared/failure.ts'
import type { Log } from '../shared/log.ts'
import type { UploadRecord, UploadRecords, UploadsInFlight } from '../shared/ports.ts'

interface Options {
  folder: string
  uploadsInFlight: UploadsInFlight
  now: () => number
  log: Log
  /** Default: that of the limits. */
  maxOfAll?: number
}

interface Held {
  record: UploadRecord
  release: () => void
  /** Tasks under way. */
  uses: number
  /** Bytes at the end of the last use. */
  received: number
  /** When bytes arrived last, in UTC milliseconds. */
  usedAt: number
}

const suffix = '.json'
const { lifetimeMs, maxOfAddress, maxOfAccount, idleMs } = limits.resumable
const isExpired = ({ createdAt }: UploadRecord, at: number) => createdAt + lifetimeMs <= at
/** An account, an IPv4 address, or the 48 bits of a site, whose networks have one owner. */
const sourceOf = ({ record: { owner, address } }: Held) => owner ?? address.split(':', 3).join(':')

export function openUploadRecords(options: Options): UploadRecords {
  const { folder, uploadsInFlight, now, log, maxOfAll = limits.resumable.maxOfAll } = options
  /** In the order of their last use. */
  const uploads = new Map<string, Held>()
  const bytesOf = (id: string) => join(folder, id)
  const recordOf = (id: string) => join(folder, id + suffix)

  /** Complete or not at all, also when the process is killed meanwhile. */
  async function write(record: UploadRecord): Promise<void> {
    const path = recordOf(record.id)
    await writeFile(`${path}.new`, JSON.stringify(record))
    await moveDurably(`${path}.new`, path)
  }

  async function remove(id: string): Promise<void> {
    const held = uploads.get(id)
    if (!held) return
    uploads.delete(id)
    if (held.uses === 0) await deleteFiles(held)
  }

  async function deleteFiles({ record: { id }, release }: Held): Promise<void> {
    release()
    await removeFile(bytesOf(id))
    await removeFile(recordOf(id))
  }

  async function endUse(held: Held): Promise<void> {
    const { id } = held.record
    const received = await sizeOf(id)
    if (received > held.received) held.usedAt = now()
    held.received = received
    held.uses--
    if (uploads.get(id) === held) {
      uploads.delete(id)
      uploads.set(id, held)
    } else if (held.uses === 0) await deleteFiles(held)
  }

  /**
   * Returns the one that is missed least if `held` are `most`. Between the choice and the addition of a new one nothing
   * may be awaited.
   * One that received bytes within a minute is between two requests of its client, and does not end.
   * @throws {Failure} busy
   */
  function chooseEnd(held: Held[], most: number): Held | undefined {
    if (held.length < most) return undefined
    const latest = now() - idleMs
    const idle = held.filter(({ record, uses, usedAt }) => uses === 0 && (record.isStored || usedAt <= latest))
    const chosen = idle.find(({ record }) => record.isStored) ?? firstOfLargest(idle)
    if (!chosen) throw new Failure('busy', {}, { retryAfterS: 10 })
    return chosen
  }

  const sizeOf = async (id: string) => (await stat(bytesOf(id)).catch(nullWhenMissing))?.size ?? 0

  /** Files that could not be deleted, or whose record could not be read. */
  async function removeOrphans(): Promise<void> {
    // The folder is missing until the uploads were loaded.
    for (const name of (await readdir(folder).catch(nullWhenMissing)) ?? []) {
      const held = uploads.get(name.split('.', 1)[0] ?? '')
      const isLeft = held?.record.isStored === true && name === held.record.id && held.uses === 0
      if (!held || isLeft) await removeFile(join(folder, name))
    }
  }

  /** @returns null: unusable, for instance because the power failed */
  async function read(id: string): Promise<UploadRecord | null> {
    try {
      return JSON.parse(await readFile(recordOf(id), 'utf8')) as UploadRecord
    } catch (error) {
      log.warn({ err: error, upload: id }, 'The record of a resumable upload could not be read')
      return null
    }
  }

  return {
    folder,

    async load() {
      await makeFolder(folder, 0o700)
      const names = new Set(await readdir(folder))
      const found: UploadRecord[] = []
      for (const name of names) {
        if (!name.endsWith(suffix)) continue
        const record = await read(name.slice(0, -suffix.length))
        if (record && (record.isStored || names.has(record.id))) found.push(record)
      }
      for (const record of found.toSorted((a, b) => a.createdAt - b.createdAt)) {
        const release = record.isStored ? () => {} : uploadsInFlight.add(record.owner, record.bytes)
        // Clients need time to come back after a restart.
        uploads.set(record.id, { record, release, uses: 0, received: await sizeOf(record.id), usedAt: now() })
      }
      await removeOrphans()
    },

    find(id) {
      const record = uploads.get(id)?.record
      return record && !isExpired(record, now()) ? record : undefined
    },

    findStarted({ starter, key, bytes }) {
      for (const { record } of uploads.values()) {
        if (record.key !== key || record.bytes !== bytes || record.starter !== starter) continue
        if (!record.isStored && !isExpired(record, now())) return record
      }
      return undefined
    },

    async add(record, release) {
      const { owner, address } = record
      const isSame = ({ record: other }: Held) => other.owner === owner && (owner !== null || other.address === address)
      const all = [...uploads.values()]
      const ends =
        chooseEnd(all.filter(isSame), owner === null ? maxOfAddress : maxOfAccount) ?? chooseEnd(all, maxOfAll)
      const held: Held = { record, release, uses: 1, received: 0, usedAt: now() }
      const ended = ends && remove(ends.record.id)
      uploads.set(record.id, held)
      try {
        await ended
        await write(record)
      } catch (error) {
        await remove(record.id)
        await endUse(held)
        throw error
      }
      return () => endUse(held)
    },

    async use(id, task) {
      const held = uploads.get(id)
      if (!held) throw new Failure('upload_not_found')
      held.uses++
      try {
        return await task()
      } finally {
        await endUse(held)
      }
    },

    async setStored(id) {
      const held = uploads.get(id)
      if (!held) return
      const { owner, address } = held.record
      // Of a guest the address is a part of the key.
      held.record = { ...held.record, isStored: true, metadata: {}, address: owner === null ? address : '' }
      held.release()
      await write(held.record)
      await removeFile(bytesOf(id))
    },

    remove,

    async removeOf(owner) {
      for (const { record } of [...uploads.values()]) if (record.owner === owner) await remove(record.id)
    },

    async endIdle(owners) {
      const latest = now() - idleMs
      const idle = [...uploads.values()].filter(
        ({ record, uses, usedAt }) =>
          !record.isStored && uses === 0 && usedAt <= latest && owners?.includes(record.owner) !== false,
      )
      const [least] = owners ? idle : idle.toSorted((a, b) => a.received - b.received)
      if (least) await remove(least.record.id)
      return least !== undefined
    },

    owners: () => new Set([...uploads.values()].flatMap(({ record }) => record.owner ?? [])),

    async sweep(at) {
      const over = [...uploads.values()].filter(({ record, uses }) => uses === 0 && isExpired(record, at))
      for (const { record } of over) await remove(record.id)
      await removeOrphans()
      return over.length
    },
  }
}

/** The first one of the source that has most. */
function firstOfLargest(among: Held[]): Held | undefined {
  const counts = new Map<string, number>()
  for (const held of among) counts.set(sourceOf(held), (counts.get(sourceOf(held)) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return among.find((held) => counts.get(sourceOf(held)) === most)
}
