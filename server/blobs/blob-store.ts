// Port of the store of originals. Keys are image ids: letters, digits, '-' and '_', nothing else.
import type { Readable } from 'node:stream'

/** Every operation of a remote store, such as a bucket, may also fail with StoreUnavailable. */
export interface BlobStore {
  /** On this machine: a read takes a fraction of a millisecond and fails at once or not at all. */
  readonly isOnDisk: boolean
  /** The path of a blob in the folder of the store; undefined for remote stores. */
  pathOf?(key: string): string
  /**
   * Moves the file at `path` into the store: durably, and readers see all of the bytes or none.
   * @param signal ends the transfer to a remote store, and the promise rejects with its reason
   */
  put(key: string, path: string, signal?: AbortSignal): Promise<void>
  /** Reads up to 1 MB into a buffer; larger blobs are streamed. @throws {BlobMissing} */
  read(key: string, range?: ByteRange, options?: ReadOptions): Promise<Buffer | Readable>
  /** Provides the blob as a file of this machine. @throws {BlobMissing} */
  openLocalFile(key: string): Promise<LocalFile>
  /** Deleting a missing blob is no error. */
  delete(key: string): Promise<void>
  /** Of a remote store: whether a request succeeds now, within two seconds. */
  isUsable?(): Promise<boolean>
  list(): AsyncIterable<{ key: string; modifiedAtMs: number }>
}

/** A file that others leave in place until it is disposed of. */
export interface LocalFile extends AsyncDisposable {
  readonly path: string
}

export interface ReadOptions {
  /** Size of the whole blob, where the caller knows it: saves looking it up. */
  wholeBytes?: number
  /** Always stream, from a local disk in pieces of this size. */
  pieceBytes?: number
  /** No client waits for it: the read must not block the event loop. */
  inBackground?: true
}

/** First and last byte, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** The parts of a bucket with backups. */
export interface BackupBucket {
  /** The archives of rows. One that is here is complete, with its list and its originals. */
  rows: BlobStore
  /** For each archive the ids of the originals it needs, a line each. */
  lists: BlobStore
  originals: BlobStore
}

export class BlobMissing extends Error {
  override name = 'BlobMissing'
  constructor(key: string, options?: ErrorOptions) {
    super(`No blob ${key}`, options)
  }
}

/** The bytes in the store differ from those that were put. */
export class BlobDamaged extends Error {
  override name = 'BlobDamaged'
}

/** The store is unreachable or too slow. The operation may have been carried out. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
  readonly retryAfterS: number
  /** @param options.retryAfterS seconds after which a retry makes sense */
  constructor(message: string, { retryAfterS = 2, ...options }: ErrorOptions & { retryAfterS?: number } = {}) {
    super(message, options)
    this.retryAfterS = retryAfterS
  }
}
