import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '../domain/deps.ts'
import { Failure } from '../domain/failure.ts'

/** healthz: the process answers. readyz: it can do its work, and is not about to stop. */
export function bindHealth(app: FastifyInstance, deps: Deps): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    if (isStopping) throw new Failure('busy', {}, { retryAfterS: 1 })
    try {
      await sql`select 1`.execute(deps.db)
    } catch (error) {
      throw new Failure('busy', {}, { cause: error, retryAfterS: 1 })
    }
    return { status: 'ready' }
  })
}
