// What runs by the clock, as a table.
import { Cron } from 'croner'
import type { Config } from './config.ts'
import { sweepSessions } from './domain/accounts/sessions.ts'
import { scheduledBackup } from './domain/database/backups.ts'
import { sweepCollections } from './domain/database/collections.ts'
import type { Deps } from './domain/deps.ts'
import { sendExpiryDigests } from './domain/expiry-digests.ts'
import { sweepIdempotencyKeys } from './domain/images/idempotency.ts'
import { sweepExpired, sweepOrphans } from './domain/images/sweep.ts'
import { relayMail } from './domain/mail-queue.ts'
import { sweepCounters } from './domain/throttle.ts'

interface Job {
  name: string
  /** Cron expression, UTC. None: never. */
  at: string | ((config: Config) => string | undefined)
  run: (deps: Deps) => Promise<unknown>
}

/** Longer than any upload takes: younger bytes without a row may still get theirs. */
const orphanAgeMs = 60 * 60 * 1000

const jobs: Job[] = [
  { name: 'sweepExpired', at: '* * * * *', run: sweepExpired },
  { name: 'relayMail', at: '* * * * *', run: relayMail },
  { name: 'sendExpiryDigests', at: '17 * * * *', run: sendExpiryDigests },
  { name: 'sweepCollections', at: '* * * * *', run: (deps) => sweepCollections(deps) },
  { name: 'sweepSessions', at: '7 * * * *', run: sweepSessions },
  { name: 'sweepIdempotencyKeys', at: '17 * * * *', run: sweepIdempotencyKeys },
  { name: 'sweepCounters', at: '*/10 * * * *', run: sweepCounters },
  { name: 'scheduledBackup', at: ({ BACKUP_SCHEDULE }) => BACKUP_SCHEDULE, run: scheduledBackup },
  { name: 'sweepOrphans', at: '30 3 * * *', run: (deps) => sweepOrphans(deps, deps.now() - orphanAgeMs) },
]

/** Starts the jobs. @returns stops them and waits for those under way */
export function startJobs(deps: Deps): () => Promise<void> {
  const underWay = new Set<Promise<void>>()
  const start = (job: Job) => {
    const run = runJob(deps, job).finally(() => underWay.delete(run))
    underWay.add(run)
    return run
  }
  // protect: a job that is still running is not started again.
  const timers = jobs.flatMap((job) => {
    const at = typeof job.at === 'string' ? job.at : job.at(deps.config)
    return at === undefined ? [] : [new Cron(at, { timezone: 'UTC', protect: true, unref: true }, () => start(job))]
  })
  return async () => {
    for (const timer of timers) timer.stop()
    await Promise.all(underWay)
  }
}

async function runJob(deps: Deps, { name, run }: Job): Promise<void> {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  try {
    const result = await run(deps)
    deps.metrics.job(name, 'done', seconds(), result)
    deps.log.info({ job: name, result }, 'job')
  } catch (error) {
    deps.metrics.job(name, 'failed', seconds())
    // The next run tries again; the server goes on.
    deps.log.error({ err: error, job: name }, 'A job failed')
  }
}
