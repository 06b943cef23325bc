// Port 2: where the originals are. Keys are image ids: letters, digits, '-' and '_', nothing else.
import type { Readable } from 'node:stream'

/** Whatever goes on elsewhere, such as in a bucket, may also fail with StoreUnavailable. */
export interface BlobStore {
  /** On this machine: a read costs a fraction of a millisecond, and what is wrong with it is known at once. */
  readonly isOnDisk: boolean
  /**
   * Takes the file at `path` into the store; it is gone from `path` afterwards.
   * When this resolves the bytes survive a power cut, and readers see all of them or none.
   */
  put(key: string, path: string): Promise<void>
  /**
   * @param range first and last byte, both included
   * @throws {BlobMissing}
   */
  read(key: string, range?: ByteRange, options?: ReadOptions): Promise<Buffer | Readable>
  /** Gives a path on this machine from which the bytes can be read until `use` resolves. @throws {BlobMissing} */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>
  list(): AsyncIterable<{ key: string; modifiedAtMs: number }>
}

export interface ReadOptions {
  /** How long the whole is, from whoever knows: nobody needs to look then. */
  wholeBytes?: number
  /** Default: it may. */
  mayHold?: MayHold
  /** One of many, and no client waits for it. */
  inBackground?: true
}

/** Asked before so many bytes are taken into memory for a client. When they may not be, they come as a stream, in small pieces. */
export type MayHold = (bytes: number) => boolean

export interface ByteRange {
  start: number
  end: number
}

export class BlobMissing extends Error {
  override name = 'BlobMissing'
  constructor(key: string, options?: ErrorOptions) {
    super(`No blob ${key}`, options)
  }
}

/** The bytes in the store are not those that were put. */
export class BlobDamaged extends Error {
  override name = 'BlobDamaged'
}

/** The store is away or too slow. It may have carried out what was asked. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
  readonly retryAfterS: number
  /** @param options.retryAfterS seconds after which it is worth trying again */
  constructor(message: string, { retryAfterS = 2, ...options }: ErrorOptions & { retryAfterS?: number } = {}) {
    super(message, options)
    this.retryAfterS = retryAfterS
  }
}
