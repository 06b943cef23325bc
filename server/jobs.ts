// The table of scheduled jobs.
import { Cron } from 'croner'
import { minuteMs } from '../contract/plain/limits.ts'
import { StoreUnavailable } from './blobs/blob-store.ts'
import type { Config } from './config.ts'
import { DatabaseUnavailable } from './db/database-errors.ts'
import { deleteDueAccounts } from './domain/accounts/delete-account.ts'
import { sweepGuestAlbums } from './domain/albums/guest-album.ts'
import { sweepMailLinks } from './domain/accounts/email/mail-links.ts'
import { sweepSessions } from './domain/accounts/sessions.ts'
import { sweepBlockedNetworks } from './domain/moderation/blocked-networks.ts'
import { pruneAuditLog } from './domain/audit/prune-audit-log.ts'
import { openClockGuard } from './domain/operations/clock-guard.ts'
import { scheduledBackup } from './domain/backups/scheduled-backups.ts'
import { sweepSnapshots } from './domain/database-view/collection-snapshot.ts'
import { sweepCollections } from './domain/database-view/collections.ts'
import type { Deps } from './domain/shared/deps.ts'
import { reasonOf } from './domain/shared/failure.ts'
import { sendExpiryDigests } from './domain/mail/expiry-digests.ts'
import { clearAddressHashes } from './domain/moderation/address-hashes.ts'
import { sweepIdempotencyKeys } from './domain/uploads/idempotency.ts'
import { sweepUploads } from './domain/uploads/resumable-uploads.ts'
import { sweepExpired, sweepOrphans } from './domain/images/deletion/sweep.ts'
import { sendReportDigest } from './domain/moderation/reports/report-digest.ts'
import { sweepReports } from './domain/moderation/reports/sweep-reports.ts'
import { isMailDue, sendDueMail } from './domain/mail/mail-queue.ts'
import { purgeCaches } from './domain/images/cache-purges.ts'
import { sweepCounters } from './domain/shared/throttle.ts'
import { checkForUpdate } from './domain/operations/update-check.ts'
import { sweepUsedTokens } from './domain/shared/used-tokens.ts'
import { announceExpiringImages } from './domain/webhooks/announce-expiring.ts'
import { pruneWebhookDeliveries } from './domain/webhooks/delivery-list.ts'
import { sendDueDeliveries } from './domain/webhooks/send-deliveries.ts'

/** What a job did: it is logged, and `/metrics` sums the numbers. */
type Counts = Record<string, number | string | null>

interface Job {
  name: string
  /** Cron expression in UTC; undefined means never. */
  at: string | ((config: Config) => string | undefined)
  /** 'trusted' if it deletes data or announces that, by the time: then it is skipped while the clock is not trusted. */
  clock: 'trusted' | 'any'
  /** Every minute or more often: logged only when it did something. */
  isFrequent?: true
  /**
   * @param now UTC milliseconds; trusted when `clock` says so
   * @param trustedNow for jobs that need it in part; returns null while the clock is not trusted
   */
  run: (deps: Deps, now: number, trustedNow: () => Promise<number | null>) => Promise<Counts | void>
}

/** Longer than any upload takes: younger bytes may still get their row. */
const orphanAgeMs = 60 * 60 * 1000

const jobs: Job[] = [
  { name: 'sweepExpired', at: '* * * * *', clock: 'trusted', isFrequent: true, run: sweepExpired },
  {
    name: 'sendDueMail',
    at: '*/5 * * * * *',
    clock: 'any',
    isFrequent: true,
    // The clock is written when it is checked: not every five seconds.
    run: async (deps, _, trustedNow) => sendDueMail(deps, (await isMailDue(deps)) ? await trustedNow() : null),
  },
  { name: 'sendExpiryDigests', at: '17 * * * *', clock: 'trusted', run: sendExpiryDigests },
  {
    name: 'sendDueDeliveries',
    at: '*/5 * * * * *',
    clock: 'any',
    isFrequent: true,
    run: (deps) => sendDueDeliveries(deps),
  },
  { name: 'announceExpiringImages', at: '27 * * * *', clock: 'trusted', run: announceExpiringImages },
  { name: 'pruneWebhookDeliveries', at: '57 * * * *', clock: 'trusted', run: pruneWebhookDeliveries },
  {
    name: 'writeViews',
    at: '*/10 * * * * *',
    clock: 'any',
    isFrequent: true,
    run: ({ viewCounts }) => viewCounts.flush(),
  },
  { name: 'purgeCaches', at: '*/5 * * * * *', clock: 'any', isFrequent: true, run: (deps) => purgeCaches(deps) },
  { name: 'sweepUploads', at: '*/10 * * * *', clock: 'trusted', run: sweepUploads },
  { name: 'sendReportDigest', at: '* * * * *', clock: 'any', isFrequent: true, run: sendReportDigest },
  { name: 'sweepReports', at: '57 * * * *', clock: 'trusted', run: sweepReports },
  { name: 'sweepCollections', at: '* * * * *', clock: 'any', isFrequent: true, run: (deps) => sweepCollections(deps) },
  { name: 'sweepSnapshots', at: '37 * * * *', clock: 'trusted', run: sweepSnapshots },
  { name: 'deleteDueAccounts', at: '7 * * * *', clock: 'trusted', run: deleteDueAccounts },
  { name: 'sweepGuestAlbums', at: '37 * * * *', clock: 'trusted', run: sweepGuestAlbums },
  { name: 'sweepMailLinks', at: '7 * * * *', clock: 'trusted', run: sweepMailLinks },
  { name: 'sweepSessions', at: '7 * * * *', clock: 'trusted', run: sweepSessions },
  {
    name: 'sweepBlockedNetworks',
    at: '47 * * * *',
    clock: 'trusted',
    run: sweepBlockedNetworks,
  },
  { name: 'sweepIdempotencyKeys', at: '17 * * * *', clock: 'trusted', run: sweepIdempotencyKeys },
  { name: 'pruneAuditLog', at: '27 * * * *', clock: 'trusted', run: (deps, now) => pruneAuditLog(deps, now) },
  { name: 'clearAddressHashes', at: '37 * * * *', clock: 'trusted', run: clearAddressHashes },
  { name: 'sweepCounters', at: '*/10 * * * *', clock: 'any', run: sweepCounters },
  { name: 'sweepUsedTokens', at: '*/10 * * * *', clock: 'trusted', run: sweepUsedTokens },
  { name: 'checkForUpdate', at: ({ UPDATE_CHECK }) => UPDATE_CHECK && '51 * * * *', clock: 'any', run: checkForUpdate },
  { name: 'scheduledBackup', at: ({ BACKUP_SCHEDULE }) => BACKUP_SCHEDULE, clock: 'any', run: scheduledBackup },
  {
    name: 'sweepOrphans',
    at: '30 3 * * *',
    clock: 'trusted',
    run: (deps, now) => sweepOrphans(deps, now - orphanAgeMs),
  },
]

export const jobNames = jobs.map(({ name }) => name)

/** The jobs, which never reject. @param monotonicMs clock with which the wall clock is compared */
export function openJobs(
  deps: Deps,
  monotonicMs?: () => number,
): { name: string; clock: Job['clock']; at: string | undefined; run: () => Promise<void> }[] {
  const trustedNow = openClockGuard(deps, monotonicMs)
  return jobs.map((job) => ({
    name: job.name,
    clock: job.clock,
    at: typeof job.at === 'string' ? job.at : job.at(deps.config),
    run: () => runJob(deps, job, trustedNow),
  }))
}

/** Starts the jobs. @returns a function that stops them and waits for running ones */
export function startJobs(deps: Deps): () => Promise<void> {
  const underWay = new Set<Promise<void>>()
  const start = (job: { run: () => Promise<void> }) => {
    const run = job.run().finally(() => underWay.delete(run))
    underWay.add(run)
    return run
  }
  // `protect` skips a run while the job is still running.
  const timers = openJobs(deps).flatMap((job) =>
    job.at === undefined ? [] : [new Cron(job.at, { timezone: 'UTC', protect: true, unref: true }, () => start(job))],
  )
  return async () => {
    for (const timer of timers) timer.stop()
    await Promise.all(underWay)
  }
}

async function runJob(
  deps: Deps,
  { name, clock, isFrequent, run }: Job,
  trustedNow: () => Promise<number | null>,
): Promise<void> {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  try {
    const now = clock === 'trusted' ? await trustedNow() : deps.now()
    if (now === null) return deps.metrics.job(name, 'skipped', seconds())
    const result = await run(deps, now, trustedNow)
    deps.metrics.job(name, 'done', seconds(), result)
    if (isFrequent !== true || hasCounted(result)) deps.log.info({ job: name, result }, 'job')
  } catch (error) {
    deps.metrics.job(name, 'failed', seconds())
    // The next run retries.
    if (error instanceof DatabaseUnavailable || error instanceof StoreUnavailable) noteOutage(deps, name, error)
    else deps.log.error({ err: error, job: name }, 'A job failed')
  }
}

const outageLoggedAt = new WeakMap<Deps['log'], number>()

/** Every job fails then, some every five seconds: one line a minute, with the reason instead of a stack. */
function noteOutage({ log, now }: Deps, job: string, error: Error): void {
  const sinceMs = now() - (outageLoggedAt.get(log) ?? -Infinity)
  // After the clock was set back, too.
  if (sinceMs >= 0 && sinceMs < minuteMs) return
  outageLoggedAt.set(log, now())
  log.error({ reason: reasonOf(error), job }, 'A job failed')
}

/** Whether a number of the result is not zero. */
const hasCounted = (result: unknown) => Object.values(result ?? {}).some((value) => value !== 0)
