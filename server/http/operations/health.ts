// Health checks. healthz: the process responds. readyz: it can work, has started and does not stop.
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { createSingleFlight } from '../../concurrency/single-flight.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { asFailure } from '../../domain/delivery/imaging-failure.ts'
import { productVersion } from '../../installation.ts'

/** Load balancers check every few seconds and give up after as many. */
const readyTimeoutMs = 2000

export function bindHealth(
  app: FastifyInstance,
  { db, imaging, readiness }: Pick<Deps, 'db' | 'imaging' | 'readiness'>,
): void {
  // All requests share one query: an unauthenticated flood cannot take the connections of the pool.
  const flight = createSingleFlight<boolean>()
  const queryDatabase = () => flight.run('', () => sql`select 1`.execute(db).then(() => true))

  const method = ['GET', 'HEAD']
  const health = { status: 'ok', version: productVersion() }
  app.route({ method, url: '/healthz', handler: async () => health })
  app.route({
    method,
    url: '/readyz',
    async handler() {
      if (!readiness.isReady) throw busy()
      const database = queryDatabase().catch((error: unknown) => {
        throw busy(error)
      })
      const decoder = imaging.requireDecoder().catch((error: unknown) => {
        throw asFailure(error)
      })
      if (!(await withinTime(Promise.all([database, decoder])))) throw busy()
      return { status: 'ready' }
    },
  })
}

const busy = (cause?: unknown) => new Failure('busy', {}, { cause, retryAfterS: 1 })

/** @returns false when it takes too long. @throws what `work` throws */
async function withinTime(work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const late = setTimeout(readyTimeoutMs, false, { signal: timer.signal })
  // Rejects when it is aborted, after the race.
  late.catch(() => {})
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    timer.abort()
  }
}
