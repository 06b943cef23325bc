// Parts of the dependencies whose implementation is in a room above (deps.ts).
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { Amount } from './disk-space.ts'

/** Implemented in uploads/uploads-in-flight.ts. */
export interface UploadsInFlight {
  /**
   * @param owner an account, or null for guests
   * @param images that it stores. Default 1
   * @returns a function that ends it; further calls do nothing
   */
  add(owner: string | null, bytes: number, images?: number): () => void
  /** Of one account, or of all guests. */
  of(owner: string | null): Amount
  total(): Amount
}

export interface UploadRecord {
  /** 128 random bits: a client that knows it may continue the upload of a guest. */
  id: string
  /** The account of the upload; null: a guest's. */
  owner: string | null
  /** From which it was created, as the limits count it; empty when the image of an account is stored. */
  address: string
  /** Who may ask for it again by its key: a guest's address, an account, or an API key that may only upload. */
  starter?: string
  /** As declared. */
  bytes: number
  /** UTC milliseconds. */
  createdAt: number
  /** As sent in Upload-Metadata, until the image is stored. */
  metadata: Record<string, string | null>
  /** The Idempotency-Key of its image. */
  key: string
  /** The image is stored, and the bytes are deleted. */
  isStored: boolean
}

/** Implemented in uploads/resumable-records.ts. */
export interface UploadRecords {
  /** Of the received bytes. */
  folder: string
  /** Reads what an earlier process has left. Call it before the first request. */
  load(): Promise<void>
  find(id: string): UploadRecord | undefined
  /** Returns the unfinished upload that the same client has started with this key. */
  findStarted(request: Pick<UploadRecord, 'starter' | 'key' | 'bytes'>): UploadRecord | undefined
  /**
   * Adds a record, which is in use. Where there are too many, one that waits for its client ends.
   * @param release of the space that is reserved for the upload, called when the upload ends
   * @returns ends the use
   * @throws {Failure} busy: all are in use
   */
  add(record: UploadRecord, release: () => void): Promise<() => Promise<void>>
  /**
   * Runs `task`, during which no other upload takes the place of this one, and its files stay.
   * @throws {Failure} upload_not_found
   */
  use<T>(id: string, task: () => Promise<T>): Promise<T>
  /** Keeps what a repeated request needs. */
  setStored(id: string): Promise<void>
  /** Ends an upload. Its files are deleted when it is not in use any more. */
  remove(id: string): Promise<void>
  /** Ends all uploads of an account. */
  removeOf(owner: string): Promise<void>
  /**
   * Ends the upload that waits longest for its client, if one of these owners has any that is idle. Without owners: anybody's.
   * @returns whether it ended one
   */
  endIdle(owners?: (string | null)[]): Promise<boolean>
  /** The accounts that have any. */
  owners(): Set<string>
  /** Deletes those that are over, and files without a record. @returns how many uploads */
  sweep(now: number): Promise<number>
}

/** Implemented in moderation/similar-images.ts. */
export interface SimilarImages {
  /**
   * Returns the SHA-256 of the most similar blocked image, or null when none is similar enough.
   * @param phashes of the image in its eight orientations, 16 hex digits each
   */
  find(db: Kysely<Schema>, phashes: readonly string[], quality: number): Promise<string | null>
}

/** Implemented in delivery/view-counts.ts. */
export interface ViewCounts {
  count(imageId: string): void
  /** Writes the counts. Those that cannot be written stay for the next call. */
  flush(): Promise<void>
}
