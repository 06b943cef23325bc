// The plans of the very queries that a function sends.
import type { CompiledQuery, KyselyPlugin } from 'kysely'
import type { Deps } from '../domain/shared/deps.ts'

/**
 * Runs the work and returns the plan of each statement that it sent, one line per step.
 * @param about chooses the statements by their SQL. Default: all
 */
export async function plansOf(deps: Deps, work: (deps: Deps) => Promise<unknown>, about = /./): Promise<string[]> {
  const sent: CompiledQuery[] = []
  const { db, config } = deps
  const listen: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      sent.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await work({ ...deps, db: db.withPlugin(listen) })
  // Parts of a statement were passed too.
  const whole = sent.filter(({ sql }) => !sent.some((other) => other.sql !== sql && other.sql.includes(sql)))
  const chosen = whole.filter((query) => about.test(query.sql))
  if (chosen.length === 0) throw new Error(`The work sent no statement about ${about.source}`)
  const words = config.DATABASE_URL === undefined ? 'explain query plan ' : 'explain '
  return Promise.all(
    chosen.map(async (query) => {
      const { rows } = await db.executeQuery({ ...query, sql: words + query.sql })
      return rows.map((row) => JSON.stringify(row)).join('\n')
    }),
  )
}
