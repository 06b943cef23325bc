// Statistics for admins. Triggers maintain the image totals, so few rows are read.
import type { Kysely } from 'kysely'
import type { DatabaseStats } from '../../../contract/endpoints/operations.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import type { Schema } from '../../db/schema.ts'
import type { Deps } from '../shared/deps.ts'
import { countRemovableImages, countTrashedImages } from '../images/deletion/deletion-states.ts'
import { imageTotals } from '../images/image-totals.ts'
import { isDiskNearlyFull } from '../shared/disk-space.ts'
import { findNewerVersion } from './update-check.ts'
import { productVersion } from '../../installation.ts'
import { firstShownDay, viewsPerDay } from '../delivery/view-counts.ts'

export async function getDatabaseStats(deps: Deps): Promise<DatabaseStats & { stats: DatabaseStats }> {
  const [users, totals, expired, trashed, uploadsPerDay, viewTotals, lastBackup, newerVersion, isFull, isUsable] =
    await Promise.all([
      countUsers(deps.db),
      imageTotals(deps.db),
      countRemovableImages(deps),
      countTrashedImages(deps),
      countUploads(deps.db, deps.now()),
      deps.db.selectFrom('view_totals').selectAll().where('day', '>=', firstShownDay(deps.now())).execute(),
      findLastBackup(deps.db),
      findNewerVersion(deps),
      isDiskNearlyFull(deps.tempDir),
      deps.blobs.isUsable?.(),
    ])
  const variants = deps.variants.stats()
  const stats: DatabaseStats = {
    totalUsers: users.total,
    activeUsers: users.active,
    totalImages: totals.images,
    totalStorage: totals.bytes,
    storageLimit: deps.config.MAX_STORAGE_BYTES,
    guestImages: totals.guestImages,
    guestBytes: totals.guestBytes,
    guestStorageLimit: deps.config.GUEST_QUOTA_BYTES,
    expiredImages: expired.images,
    expiredBytes: expired.bytes,
    trashedImages: trashed.images,
    trashedBytes: trashed.bytes,
    variants: { files: variants.files, bytes: variants.bytes },
    uploadsPerDay,
    viewsPerDay: deps.config.VIEW_COUNTS ? viewsPerDay(viewTotals, deps.now()) : [],
    lastBackup: lastBackup === undefined ? null : new Date(lastBackup).toISOString(),
    warnings: [
      ...(isFull ? (['disk_full'] as const) : []),
      ...(isUsable === false ? (['bucket_unavailable'] as const) : []),
      ...(deps.mail?.outage ? (['mail_unavailable'] as const) : []),
      ...deps.warnings,
    ],
    version: productVersion(),
    newerVersion,
  }
  return { ...stats, stats }
}

async function countUsers(db: Kysely<Schema>): Promise<{ total: number; active: number }> {
  const rows = await db
    .selectFrom('users')
    .select((select) => ['status', select.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    active: rows.find(({ status }) => status === 'Active')?.count ?? 0,
  }
}

/** Returns every day of the window, also those without uploads. */
async function countUploads(db: Kysely<Schema>, now: number): Promise<DatabaseStats['uploadsPerDay']> {
  const today = Math.floor(now / dayMs)
  const first = today - limits.stats.days + 1
  const rows = await db
    .selectFrom('image_totals')
    .select((select) => ['day', select.fn.sum<number>('uploads').as('uploads')])
    .where('day', '>=', first)
    .groupBy('day')
    .execute()
  const uploadsOf = new Map(rows.map(({ day, uploads }) => [day, uploads]))
  return Array.from({ length: limits.stats.days }, (_, at) => ({
    date: new Date((first + at) * dayMs).toISOString().slice(0, 10),
    uploads: uploadsOf.get(first + at) ?? 0,
  }))
}

async function findLastBackup(db: Kysely<Schema>): Promise<number | undefined> {
  const row = await db
    .selectFrom('backups')
    .select('created_at')
    .where('status', '=', 'completed')
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  return row?.created_at
}
