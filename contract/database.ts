// The database as its admins see it: figures, backups, cleaning up (specification sections 3 and 7).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { leftOut, timestamp } from './pieces.ts'

const whole = z.number().int()
const count = (example: number) => whole.meta({ examples: [example] })
const bytes = (example: number) => whole.meta({ description: 'Bytes', examples: [example] })
const sampleId = 'w4Ge7kLzVnS0jXpCy8FuRQ'
const id = z
  .string()
  .min(1)
  .max(200)
  .meta({ examples: [sampleId] })

const figures = {
  totalUsers: count(128),
  activeUsers: count(120).describe('Users whose status is Active'),
  totalImages: count(5240).describe('Stored images, with those that have expired and are still to be removed'),
  totalStorage: bytes(2_510_340_096).describe('Bytes of all stored originals'),
  guestImages: count(310).describe('Of these, uploaded without an account'),
  expiredImages: count(4).describe('Of these, expired and still to be removed'),
  expiredBytes: bytes(1_928_044),
  variants: z
    .strictObject({ files: count(9120), bytes: bytes(731_906_048) })
    .describe('Rendered sizes in the cache of the server that answers'),
  uploadsPerDay: z
    .array(z.strictObject({ date: z.iso.date(), uploads: count(42) }))
    .describe('The last 30 days (UTC), oldest first, with the images that are gone by now'),
  lastBackup: timestamp.nullable().describe('Start of the newest completed backup'),
}
const stats = z.strictObject(figures).meta({ id: 'DatabaseStats' })
export type DatabaseStats = z.infer<typeof stats>

export const backup = z
  .strictObject({
    id: z.string().meta({ examples: [sampleId] }),
    size: bytes(2_511_000_576).describe('Bytes of the archive; while it runs, what is written so far'),
    created_at: timestamp,
    status: z.enum(['running', 'completed', 'failed']).meta({ examples: ['completed'] }),
    error: z.string().optional().describe('Why it failed, or what a completed one had to leave out').meta(leftOut),
    progress: z.number().int().min(0).max(100).optional().describe('Per cent, while it runs').meta(leftOut),
  })
  .meta({ id: 'Backup' })
export type Backup = z.infer<typeof backup>

const common = { category: 'database', access: 'admin' } as const

export const database = {
  getDatabaseStats: endpoint({
    ...common,
    summary: 'Figures about users, images and storage',
    description: 'The figures stand at the top level and once more under stats.',
    status: 200,
    reply: z.strictObject({ ...figures, stats }),
    failures: [],
  }),
  startBackup: endpoint({
    ...common,
    summary: 'Start a backup of all rows and image bytes',
    description: 'It runs in the background, one at a time; its status is in the list of backups.',
    status: 201,
    reply: z.strictObject({
      message: z.string().meta({ examples: ['The backup has started'] }),
      backupId: z.string().meta({ examples: [sampleId] }),
      estimatedTimeMinutes: whole.min(1).meta({ examples: [1] }),
    }),
    failures: ['backup_running', 'no_space_for_backup'],
  }),
  listBackups: endpoint({
    ...common,
    summary: 'The backups, newest first',
    status: 200,
    reply: z.strictObject({ backups: z.array(backup) }),
    failures: [],
  }),
  downloadBackup: endpoint({
    ...common,
    summary: 'The archive of a completed backup',
    description: 'A tar file; one range is served, so that a broken download can go on.',
    params: z.strictObject({ id }),
    status: 200,
    reply: 'file',
    saveAs: 'backup.tar',
    failures: ['backup_not_found', 'backup_running', 'backup_file_missing', 'range_not_satisfiable'],
  }),
  deleteBackup: endpoint({
    ...common,
    summary: 'Delete a backup and its archive',
    params: z.strictObject({ id }),
    status: 200,
    reply: z.strictObject({ success: z.literal(true) }),
    failures: ['backup_not_found', 'backup_running'],
  }),
  previewCleanup: endpoint({
    ...common,
    summary: 'What a cleanup would remove now',
    status: 200,
    reply: z.strictObject({ images: count(4), bytes: bytes(1_928_044) }),
    failures: [],
  }),
  cleanUp: endpoint({
    ...common,
    summary: 'Remove expired images now',
    description: 'The server does the same by itself every minute.',
    status: 200,
    reply: z.strictObject({ deletedImages: count(4), freedSpace: bytes(1_928_044) }),
    failures: [],
  }),
}
