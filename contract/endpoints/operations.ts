// The state of the instance, and its cleanup (docs/api.md).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from '../plain/limits.ts'
import { timestamp, wholeNumber } from './schema-parts.ts'

const bytes = (example: number) => wholeNumber(example).describe('Bytes')

const figures = {
  totalUsers: wholeNumber(128),
  activeUsers: wholeNumber(120).describe('Users with the status Active'),
  totalImages: wholeNumber(5240).describe('Including expired images that are not yet removed'),
  totalStorage: bytes(2_510_340_096).describe('Bytes of all originals'),
  storageLimit: bytes(0).describe('MAX_STORAGE_BYTES, the limit of totalStorage; 0: no limit'),
  guestImages: wholeNumber(310).describe('Images of guests'),
  guestBytes: bytes(121_634_816).describe('Bytes of guests'),
  guestStorageLimit: bytes(limits.guest.quotaBytes).describe('GUEST_QUOTA_BYTES, the limit of guestBytes; 0: no limit'),
  expiredImages: wholeNumber(4).describe('Expired, but not yet removed'),
  expiredBytes: bytes(1_928_044),
  trashedImages: wholeNumber(12).describe('In the trash of their owners'),
  trashedBytes: bytes(5_784_132).describe('Bytes in the trash'),
  variants: z
    .strictObject({ files: wholeNumber(9120), bytes: bytes(731_906_048) })
    .describe('Variants that the server that responds has cached'),
  uploadsPerDay: z
    .array(z.strictObject({ date: z.iso.date(), uploads: wholeNumber(42) }))
    .describe('The last 30 days (UTC), oldest first, with deleted and expired images'),
  viewsPerDay: z
    .array(z.strictObject({ date: z.iso.date(), views: wholeNumber(310) }))
    .describe('The same for views. Empty when VIEW_COUNTS is off'),
  lastBackup: timestamp.nullable().describe('Start of the newest completed backup'),
  warnings: z
    .array(
      z.enum(['disk_full', 'bucket_unavailable', 'mail_unavailable', 'open_database_view', 'untrusted_proxy']).meta({
        description:
          'disk_full: uploads are refused until the disk of DATA_DIR has room again. ' +
          'bucket_unavailable: S3_BUCKET does not respond within two seconds, or with an error. ' +
          'mail_unavailable: the mail server accepts no mail; all of it waits. ' +
          'open_database_view: any registered user who knows the PIN may open the database view (DB_VIEW_ROLE). ' +
          'untrusted_proxy: a proxy forwards requests, but TRUST_PROXY is off',
      }),
    )
    .describe('What the operator should look at'),
  version: z
    .string()
    .describe('Of the server that handles this request')
    .meta({ examples: ['0.3.0'] }),
  newerVersion: z
    .string()
    .nullable()
    .describe('The newest release, if newer; null also without UPDATE_CHECK')
    .meta({ examples: ['0.4.0'] }),
}
const stats = z.strictObject(figures).meta({ id: 'DatabaseStats' })
export type DatabaseStats = z.infer<typeof stats>
export type InstanceWarning = DatabaseStats['warnings'][number]

const common = { category: 'database', access: 'admin' } as const

export const operations = {
  getDatabaseStats: endpoint({
    ...common,
    summary: 'Get statistics on users, images and storage',
    response: z.strictObject({ ...figures, stats }),
  }),
  previewCleanup: endpoint({
    ...common,
    summary: 'Preview a cleanup: expired images and their bytes',
    response: z.strictObject({ images: wholeNumber(4), bytes: bytes(1_928_044) }),
  }),
  cleanUp: endpoint({
    ...common,
    summary: 'Remove expired images now',
    description: 'The server does it every minute.',
    response: z.strictObject({ deletedImages: wholeNumber(4), freedSpace: bytes(1_928_044) }),
  }),
}
