import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '../domain/deps.ts'
import { Failure } from '../domain/failure.ts'

/** healthz: the process responds. readyz: it can work, and is not shutting down. */
export function bindHealth(app: FastifyInstance, deps: Deps): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  const method = ['GET', 'HEAD']
  app.route({ method, url: '/healthz', handler: async () => ({ status: 'ok' }) })
  app.route({
    method,
    url: '/readyz',
    handler: async () => {
      if (isStopping) throw new Failure('busy', {}, { retryAfterS: 1 })
      try {
        await sql`select 1`.execute(deps.db)
      } catch (error) {
        throw new Failure('busy', {}, { cause: error, retryAfterS: 1 })
      }
      return { status: 'ready' }
    },
  })
}
