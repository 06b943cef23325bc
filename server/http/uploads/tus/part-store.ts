// Where the tus library keeps the bytes of uploads: one file each, in the folder of their records.
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import { Upload } from '@tus/server'
import type { UploadRecords } from '../../../domain/shared/ports.ts'

export class PartStore extends FileStore {
  // The library's clock is not that of the server, which ends uploads itself (resumable-records.ts).
  override extensions = ['creation', 'creation-with-upload', 'expiration', 'termination']

  readonly #records: UploadRecords

  constructor(records: UploadRecords) {
    super({
      directory: records.folder,
      configstore: {
        async get(id) {
          const record = records.find(id)
          return record && new Upload({ id, size: record.bytes, offset: 0, metadata: record.metadata })
        },
        // The record was written when the upload was admitted.
        set: async () => {},
        delete: (id) => records.remove(id),
      },
    })
    this.#records = records
  }

  /** The bytes of a stored upload are deleted. */
  override async getUpload(id: string): Promise<Upload> {
    const record = this.#records.find(id)
    if (!record?.isStored) return super.getUpload(id)
    return new Upload({ id, size: record.bytes, offset: record.bytes, metadata: record.metadata })
  }

  override async remove(id: string): Promise<void> {
    await this.#records.remove(id)
  }

  /**
   * As the library's, with the cause of a failure, and durable: bytes that were acknowledged survive a
   * power failure.
   */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.directory, id), { flags: 'r+', start: offset, flush: true })
    await pipeline(source, file)
    return offset + file.bytesWritten
  }
}
