// Administration: statistics, backups, cleanup (docs/api.md).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from '../plain/limits.ts'
import { done, omitted, requestedId, timestamp, wholeNumber } from './schema-parts.ts'

const bytes = (example: number) => wholeNumber(example).describe('Bytes')
const sampleId = 'w4Ge7kLzVnS0jXpCy8FuRQ'
const id = requestedId(sampleId)

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
      z.enum(['disk_full', 'open_database_view', 'untrusted_proxy']).meta({
        description:
          'disk_full: uploads are refused until the disk of DATA_DIR has room again. ' +
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

export const backup = z
  .strictObject({
    id: z.string().meta({ examples: [sampleId] }),
    size: bytes(2_511_000_576).describe('Bytes, so far while it runs'),
    created_at: timestamp,
    status: z.enum(['running', 'completed', 'failed']).meta({ examples: ['completed'] }),
    place: z
      .enum(['disk', 's3'])
      .meta({ examples: ['disk'] })
      .describe('disk: on the server that took it; s3: in the backup bucket, where only newer backups replace it'),
    error: z.string().optional().describe('Why it failed, or what it does not contain').meta(omitted),
    progress: z.number().int().min(0).max(100).optional().describe('Percentage, while it runs').meta(omitted),
  })
  .meta({ id: 'Backup' })
export type Backup = z.infer<typeof backup>

const common = { category: 'database', access: 'admin' } as const

export const database = {
  getDatabaseStats: endpoint({
    ...common,
    summary: 'Get statistics on users, images and storage',
    status: 200,
    response: z.strictObject({ ...figures, stats }),
    failures: [],
  }),
  startBackup: endpoint({
    ...common,
    summary: 'Start a backup of all rows and originals',
    description: 'Only one runs at a time. GET /api/database/backups shows its status.',
    status: 201,
    response: z.strictObject({
      message: z.string().meta({ examples: ['The backup has started'] }),
      backupId: z.string().meta({ examples: [sampleId] }),
      estimatedTimeMinutes: z
        .number()
        .int()
        .min(1)
        .meta({ examples: [1] }),
    }),
    failures: ['backup_running', 'no_space_for_backup'],
  }),
  listBackups: endpoint({
    ...common,
    summary: 'List backups, newest first',
    status: 200,
    response: z.strictObject({ backups: z.array(backup) }),
    failures: [],
  }),
  downloadBackup: endpoint({
    ...common,
    summary: 'Download the archive of a completed backup',
    description:
      'A tar file. Accepts a byte range, to resume an interrupted download. Requires a login or confirmation of the last 10 minutes.',
    params: z.strictObject({ id }),
    status: 200,
    response: 'file',
    saveAs: 'backup.tar',
    failures: [
      'password_required',
      'backup_not_found',
      'backup_running',
      'backup_file_missing',
      'range_not_satisfiable',
    ],
  }),
  createBackupLink: endpoint({
    ...common,
    summary: 'Create a download link for a backup',
    description:
      'For browsers, like POST /api/me/data/link. Creating it requires a login or confirmation of the last 10 minutes.',
    params: z.strictObject({ id }),
    status: 201,
    response: z.strictObject({
      url: z
        .string()
        .describe('Path on this server, to which the browser sends the ticket as a form')
        .meta({ examples: ['/api/database/archive'] }),
      ticket: z.string().meta({ examples: ['eyJhbGciOiJIUzI1NiJ9...'] }),
      expires_at: timestamp,
    }),
    failures: ['password_required', 'backup_not_found', 'backup_running', 'backup_file_missing'],
  }),
  downloadBackupByLink: endpoint({
    category: 'database',
    access: 'public',
    summary: 'Download a backup by its link',
    description: 'Like GET /api/database/backups/{id}/download, with the ticket of a link.',
    form: 'any origin',
    body: z.strictObject({
      ticket: z.string().min(1).max(2000).describe('From POST /api/database/backups/{id}/link'),
    }),
    status: 200,
    response: 'file',
    saveAs: 'backup.tar',
    failures: [
      'download_link_ended',
      'backup_not_found',
      'backup_file_missing',
      'unsupported_body',
      'malformed_upload',
      'too_many_files',
      'body_too_large',
    ],
  }),
  deleteBackup: endpoint({
    ...common,
    summary: 'Delete a backup and its archive',
    params: z.strictObject({ id }),
    status: 200,
    response: done,
    failures: ['backup_not_found', 'backup_running', 'backup_file_missing'],
  }),
  previewCleanup: endpoint({
    ...common,
    summary: 'Preview a cleanup: expired images and their bytes',
    status: 200,
    response: z.strictObject({ images: wholeNumber(4), bytes: bytes(1_928_044) }),
    failures: [],
  }),
  cleanUp: endpoint({
    ...common,
    summary: 'Remove expired images now',
    description: 'The server does it every minute.',
    status: 200,
    response: z.strictObject({ deletedImages: wholeNumber(4), freedSpace: bytes(1_928_044) }),
    failures: [],
  }),
}
