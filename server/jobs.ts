// What runs by the clock, as a table.
import { Cron } from 'croner'
import { sweepSessions } from './domain/accounts/sessions.ts'
import type { Deps } from './domain/deps.ts'
import { sweepExpired, sweepOrphans } from './domain/images/sweep.ts'

interface Job {
  name: string
  /** Cron expression, UTC. */
  at: string
  run: (deps: Deps) => Promise<unknown>
}

/** Longer than any upload takes: younger bytes without a row may still get theirs. */
const orphanAgeMs = 60 * 60 * 1000

const jobs: Job[] = [
  { name: 'sweepExpired', at: '* * * * *', run: sweepExpired },
  { name: 'sweepSessions', at: '7 * * * *', run: sweepSessions },
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
  const timers = jobs.map((job) => new Cron(job.at, { timezone: 'UTC', protect: true, unref: true }, () => start(job)))
  return async () => {
    for (const timer of timers) timer.stop()
    await Promise.all(underWay)
  }
}

async function runJob(deps: Deps, { name, run }: Job): Promise<void> {
  try {
    deps.log.info({ job: name, result: await run(deps) }, 'job')
  } catch (error) {
    // The next run tries again; the server goes on.
    deps.log.error({ err: error, job: name }, 'A job failed')
  }
}
