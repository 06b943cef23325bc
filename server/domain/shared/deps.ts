// The dependencies of domain functions. Clock and randomness come only from here.
import type { Kysely, Transaction } from 'kysely'
import type { InstanceWarning } from '../../../contract/endpoints/operations.ts'
import type { BackupBucket, BlobStore } from '../../blobs/blob-store.ts'
import type { VariantCache } from '../../blobs/variant-cache.ts'
import type { Config } from '../../config.ts'
import type { ImageChanges } from '../../db/image-changes.ts'
import type { Schema } from '../../db/schema.ts'
import type { Imaging } from '../../imaging/pool/imaging.ts'
import type { IdentityProviders } from '../../identity-providers.ts'
import type { Mailer } from '../../mail.ts'
import type { RemoteClient } from '../../remote/remote-client.ts'
import type { Background } from './background-tasks.ts'
import type { SystemCollections } from './document-source.ts'
import type { Metrics } from '../../metrics.ts'
import type { RequestOrigin } from './caller.ts'
import type { Counters } from './rate-counters.ts'
import type { Log } from './log.ts'
import type { SimilarImages, UploadRecords, UploadsInFlight, ViewCounts } from './ports.ts'

export interface Deps {
  config: Config
  db: Kysely<Schema>
  /** Changed rows of images; null when other servers write too, without notifications. */
  imageChanges: ImageChanges | null
  /** Runs `use` on a consistent, read-only snapshot, beside concurrent reads and writes. */
  snapshot: RunOnSnapshot
  blobs: BlobStore
  /** Backups off the machine; undefined without BACKUP_S3_BUCKET. */
  openBackupBucket: (() => Promise<BackupBucket>) | undefined
  variants: VariantCache
  imaging: Imaging
  /** null without SMTP_URL: no mail is sent. */
  mail: Mailer | null
  /** The providers in OIDC_PROVIDERS, by id. */
  identityProviders: IdentityProviders
  /** For requests to addresses that users supply. */
  remote: RemoteClient
  /** Milliseconds since 1970, UTC. */
  now: () => number
  randomBytes: (count: number) => Buffer
  log: Log
  /** On the same file system as the store, emptied at each start. */
  tempDir: string
  counters: Counters
  uploadsInFlight: UploadsInFlight
  uploadRecords: UploadRecords
  similarImages: SimilarImages
  viewCounts: ViewCounts
  metrics: Metrics
  background: Background
  /** Read by /readyz: load balancers send no requests to a server that starts or stops. */
  readiness: { isReady: boolean }
  /** For admins; grows while the server runs. */
  warnings: Set<InstanceWarning>
  systemCollections: SystemCollections<Deps>
  jwtSecret: Uint8Array
  /** Of the hashes of addresses (domain/shared/address-privacy.ts). */
  addressKey: Uint8Array
}

/** For what must be written with its cause, or not at all. */
export type InTransaction<D> = Omit<D, 'db'> & { db: Transaction<Schema> }

export type RunOnSnapshot = <T>(use: (db: Kysely<Schema>) => Promise<T>) => Promise<T>

/** The origins of URLs in responses, without a trailing slash. */
export interface ResponseOrigins {
  /** Of image URLs. */
  baseUrl: string
  /** Of the page and its links, which MEDIA_ORIGIN does not change. */
  siteUrl: string
}

/** Request data that every domain function receives. */
export interface RequestContext<C> extends RequestOrigin<C>, ResponseOrigins {
  /** As the client sent it. */
  userAgent?: string | undefined
  /** Aborted with a {@link ClientGone} when the client disconnects before it has its response. */
  gone?: (() => AbortSignal) | undefined
}

/** Nobody waits for the response any more. */
export class ClientGone extends Error {
  override name = 'ClientGone'
}
