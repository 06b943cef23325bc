// All that the domain is given. No globals, no clock and no randomness but from here.
import type { Kysely } from 'kysely'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { VariantCache } from '../blobs/variant-cache.ts'
import type { Config } from '../config.ts'
import type { Schema } from '../db/schema.ts'
import type { Imaging } from '../imaging/imaging.ts'

export interface Deps {
  config: Config
  db: Kysely<Schema>
  blobs: BlobStore
  variants: VariantCache
  imaging: Imaging
  /** Milliseconds since 1970, UTC. */
  now: () => number
  randomBytes: (count: number) => Buffer
  log: Log
  /** On the same file system as the store, emptied at each start. */
  tempDir: string
  jwtSecret: Uint8Array
}

export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** What every domain function is given about its request. */
export interface RequestContext<C> {
  caller: C
  /** Origin of absolute addresses in replies, with no slash at the end. */
  baseUrl: string
}
