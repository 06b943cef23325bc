// F14: two servers on one PostgreSQL and one bucket sweep continuously while users extend expiring images; one server is killed.
import { newDatabase, startPostgres } from '../server/testing/postgres.ts'
import { openBucket } from './bucket.ts'
import { adminSettings } from './client.ts'
import { missingForPostgres } from './postgres-available.ts'
import { type Defer, openServer } from './resources.ts'
import { atLeast, atMost, type Finding, type Form, none, type Scenario, info } from './scenario.ts'
import { openDeletionLog } from './sweeps/deletion-log.ts'
import { judge } from './sweeps/verify-sweeps.ts'
import { storm } from './sweeps/storm.ts'

const shape = {
  short: { images: 300, expireWithinMs: 2000, sweepEveryMs: 100, extendedOneIn: 5 },
  full: { images: 10_000, expireWithinMs: 60_000, sweepEveryMs: 1000, extendedOneIn: 5 },
} as const

export const scenario: Scenario = {
  id: 'F14',
  title: 'two servers sweep at once, users extend at the last moment, one server is killed',
  missing: () => missingForPostgres(),
  run,
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const postgres = await startPostgres()
  defer(postgres.stop)
  const database = await newDatabase(postgres.url)
  const { s3, settings } = await openBucket(defer)
  const env = {
    ...adminSettings,
    ...settings,
    JWT_SECRET: 'the same secret on both servers, long',
    // The scheduled sweep logs what it removed.
    LOG_LEVEL: 'info',
  }
  const start = async (name: string) => {
    const url = `${database.url}?application_name=${name}`
    return { name, server: await openServer(defer, { env: { ...env, DATABASE_URL: url } }) }
  }
  const servers = [await start('one'), await start('two')] as const
  const log = await openDeletionLog(database.url, s3.objects)
  defer(log.close)

  const found = await storm(shape[form], servers, log)
  const verdict = await judge({ ...found, log, env: { ...env, DATABASE_URL: database.url }, objects: s3.objects })
  return [
    info('images that expired', shape[form].images),
    atLeast('of them deleted', verdict.deleted, shape[form].images / 2),
    none('deleted twice, before their time, or not at all', verdict.wrongDeletions),
    atLeast('extended at the last moment', found.extended.size, 1),
    none('extended images lost', verdict.lost),
    none('freed bytes that were reported wrongly', verdict.wrongSums),
    info('bytes freed by the killed server, not reported', verdict.unreportedBytes),
    info('objects without a row, before the janitor', verdict.orphansBefore),
    atMost('objects without a row, after it', verdict.orphansAfter, 0),
    none('wrong replies', found.wrongReplies),
  ]
}
