// All that the domain is given. No globals, no clock and no randomness but from here.
import type { Kysely } from 'kysely'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { VariantCache } from '../blobs/variant-cache.ts'
import type { Config } from '../config.ts'
import type { ImageChanges } from '../db/image-changes.ts'
import type { Schema } from '../db/schema.ts'
import type { Imaging } from '../imaging/pool/imaging.ts'
import type { Mailer } from '../mail.ts'
import type { Background } from './background.ts'
import type { SystemCollections } from './document-source.ts'
import type { Metrics } from '../metrics.ts'
import type { Counters } from './throttle.ts'

export interface Deps {
  config: Config
  db: Kysely<Schema>
  /** Tells of changed rows of images; null: other servers change them, too, and nobody tells. */
  imageChanges: ImageChanges | null
  /** Runs `use` on one consistent, read-only view of the database, beside everything that reads and writes meanwhile. */
  snapshot: Snapshot
  blobs: BlobStore
  variants: VariantCache
  imaging: Imaging
  /** null: without SMTP_URL nothing is mailed. */
  mail: Mailer | null
  /** Milliseconds since 1970, UTC. */
  now: () => number
  /** Milliseconds since some moment: never set, always forward. */
  monotonicMs: () => number
  randomBytes: (count: number) => Buffer
  log: Log
  /** On the same file system as the store, emptied at each start. */
  tempDir: string
  counters: Counters
  metrics: Metrics
  background: Background
  systemCollections: SystemCollections
  jwtSecret: Uint8Array
}

export type Snapshot = <T>(use: (db: Kysely<Schema>) => Promise<T>) => Promise<T>

export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** What every domain function is given about its request. */
export interface RequestContext<C> {
  caller: C
  /** Of the client, as limits count it. */
  address: string
  /** Origin of the addresses of pictures in replies, with no slash at the end. */
  baseUrl: string
}
