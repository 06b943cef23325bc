// Backups of the instance (docs/api.md).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { example, done, omitted, requestedId, timestamp, wholeNumber } from './schema-parts.ts'

const sampleId = 'w4Ge7kLzVnS0jXpCy8FuRQ'
const id = requestedId(sampleId)

export const backup = z
  .strictObject({
    id: z.string().meta(example(sampleId)),
    size: wholeNumber(2_511_000_576).describe('Bytes, so far while it runs'),
    created_at: timestamp,
    status: z.enum(['running', 'completed', 'failed']).meta(example('completed')),
    place: z
      .enum(['disk', 's3'])
      .meta(example('disk'))
      .describe('disk: on the server that took it; s3: in the backup bucket, where only newer backups replace it'),
    error: z.string().optional().describe('Why it failed, or what it does not contain').meta(omitted),
    progress: z.number().int().min(0).max(100).optional().describe('Percentage, while it runs').meta(omitted),
  })
  .meta({ id: 'Backup' })
export type Backup = z.infer<typeof backup>

const common = { category: 'database', access: 'admin' } as const

export const backups = {
  startBackup: endpoint({
    ...common,
    summary: 'Start a backup of all rows and originals',
    description: 'Only one runs at a time. GET /api/database/backups shows its status.',
    status: 201,
    response: z.strictObject({
      message: z.string().meta(example('The backup has started')),
      backupId: z.string().meta(example(sampleId)),
      estimatedTimeMinutes: z.number().int().min(1).meta(example(1)),
    }),
    failures: ['backup_running', 'no_space_for_backup'],
  }),
  listBackups: endpoint({
    ...common,
    summary: 'List backups, newest first',
    response: z.strictObject({ backups: z.array(backup) }),
  }),
  downloadBackup: endpoint({
    ...common,
    summary: 'Download the archive of a completed backup',
    description:
      'A tar file. Accepts a byte range, to resume an interrupted download. Requires a login or confirmation of the last 10 minutes.',
    params: z.strictObject({ id }),
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
        .meta(example('/api/database/archive', 'Path on this server, to which the browser sends the ticket as a form')),
      ticket: z.string().meta(example('eyJhbGciOiJIUzI1NiJ9...')),
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
    response: done,
    failures: ['backup_not_found', 'backup_running', 'backup_file_missing'],
  }),
}
