// The resumable uploads that this server has (docs/decisions/0059). Of each, a folder holds the received
// bytes, and beside them a record, so that both survive a restart.
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../../contract/limits.ts'
import { makeFolder, removeFile } from '../blobs/durable.ts'
import { Failure } from './failure.ts'
import type { Log } from './log.ts'
import type { UploadsInFlight } from './uploads-in-flight.ts'

export interface UploadRecord {
  /** 128 random bits: a client that knows it may continue the upload of a guest. */
  id: string
  /** The account of the upload; null: a guest's. */
  owner: string | null
  /** From which it was created, as the limits count it. */
  address: string
  /** As declared. */
  bytes: number
  /** UTC milliseconds. */
  createdAt: number
  /** As sent in Upload-Metadata. */
  metadata: Record<string, string | null>
  /** The Idempotency-Key of its image. */
  key: string
  /** The image is stored, and the bytes are deleted. */
  isStored: boolean
}

export interface UploadRecords {
  /** Of the received bytes. */
  folder: string
  /** Reads what an earlier process has left. Call it before the first request. */
  load(): Promise<void>
  find(id: string): UploadRecord | undefined
  /**
   * Adds a record. Where there are too many, the one ends that has been idle longest.
   * @param release of the space that is reserved for the upload, called when the upload ends
   * @throws {Failure} busy: all are in use
   */
  add(record: UploadRecord, release: () => void): Promise<void>
  /** Runs `task`, during which no other upload takes the place of this one. */
  use<T>(id: string, task: () => Promise<T>): Promise<T>
  /** Keeps the record alone. */
  setStored(id: string): Promise<void>
  /** Deletes record and bytes. */
  remove(id: string): Promise<void>
  /** Deletes those that are over, and files without a record. @returns how many */
  sweep(now: number): Promise<number>
}

interface Options {
  folder: string
  uploadsInFlight: UploadsInFlight
  now: () => number
  log: Log
}

interface Held {
  record: UploadRecord
  release: () => void
  /** Tasks under way. */
  uses: number
}

const suffix = '.json'
const { lifetimeMs, maxOfAddress, maxOfAccount, maxOfAll } = limits.resumable

export function openUploadRecords({ folder, uploadsInFlight, now, log }: Options): UploadRecords {
  /** In the order of their last use. */
  const uploads = new Map<string, Held>()
  const bytesOf = (id: string) => join(folder, id)
  const recordOf = (id: string) => join(folder, id + suffix)
  const isOver = ({ createdAt }: UploadRecord, at: number) => createdAt + lifetimeMs <= at

  /** Complete or not at all, also when the process is killed meanwhile. */
  async function write(record: UploadRecord): Promise<void> {
    const path = recordOf(record.id)
    await writeFile(`${path}.new`, JSON.stringify(record), { flush: true })
    await rename(`${path}.new`, path)
  }

  async function remove(id: string): Promise<void> {
    const held = uploads.get(id)
    uploads.delete(id)
    held?.release()
    await removeFile(bytesOf(id))
    await removeFile(recordOf(id))
  }

  /** Ends one upload of `among` if these are `most`, rather one that is stored. */
  async function makeRoom(among: (record: UploadRecord) => boolean, most: number): Promise<void> {
    const held = [...uploads.values()].filter(({ record }) => among(record))
    if (held.length < most) return
    const idle = held.filter(({ uses }) => uses === 0)
    const oldest = idle.find(({ record }) => record.isStored) ?? idle[0]
    if (!oldest) throw new Failure('busy', {}, { retryAfterS: 10 })
    await remove(oldest.record.id)
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
        uploads.set(record.id, { record, release, uses: 0 })
        names.delete(record.id + suffix)
        if (!record.isStored) names.delete(record.id)
      }
      for (const name of names) await removeFile(join(folder, name))
    },

    find(id) {
      const record = uploads.get(id)?.record
      return record && !isOver(record, now()) ? record : undefined
    },

    async add(record, release) {
      const { owner, address } = record
      const isSame = (other: UploadRecord) => other.owner === owner && (owner !== null || other.address === address)
      await makeRoom(isSame, owner === null ? maxOfAddress : maxOfAccount)
      await makeRoom(() => true, maxOfAll)
      uploads.set(record.id, { record, release, uses: 0 })
      try {
        await write(record)
      } catch (error) {
        await remove(record.id)
        throw error
      }
    },

    async use(id, task) {
      const held = uploads.get(id)
      if (!held) throw new Failure('upload_not_found')
      held.uses++
      try {
        return await task()
      } finally {
        held.uses--
        if (uploads.delete(id)) uploads.set(id, held)
      }
    },

    async setStored(id) {
      const held = uploads.get(id)
      if (!held) return
      held.record = { ...held.record, isStored: true }
      held.release()
      await write(held.record)
      await removeFile(bytesOf(id))
    },

    remove,

    async sweep(at) {
      const over = [...uploads.values()].filter(({ record, uses }) => uses === 0 && isOver(record, at))
      for (const { record } of over) await remove(record.id)
      return over.length
    },
  }
}
