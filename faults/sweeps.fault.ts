// F14: two servers on one PostgreSQL and one bucket sweep continuously while users extend expiring images; one server is killed.
import { rm } from 'node:fs/promises'
import { type RunningServer, startServer } from '../e2e/server.ts'
import { newDatabase, startPostgres } from '../server/testing/postgres.ts'
import { startS3Server } from '../server/testing/s3-server.ts'
import { missingForPostgres } from './postgres-available.ts'
import { atLeast, atMost, type Finding, type Form, none, type Scenario, info } from './scenario.ts'
import { openDeletionLog } from './sweeps/deletion-log.ts'
import { judge } from './sweeps/verify-sweeps.ts'
import { admin, storm } from './sweeps/storm.ts'

const shape = {
  short: { images: 300, expireWithinMs: 2000, sweepEveryMs: 100 },
  full: { images: 10_000, expireWithinMs: 60_000, sweepEveryMs: 1000 },
} as const
/** Every n-th image is extended at the moment of its expiry. */
const extendedOneIn = 5

export const scenario: Scenario = {
  id: 'F14',
  title: 'two servers sweep at once, users extend at the last moment, one server is killed',
  missing: () => missingForPostgres(),
  run,
}

async function run(form: Form): Promise<Finding[]> {
  const closers: (() => Promise<unknown>)[] = []
  try {
    const postgres = await startPostgres()
    closers.push(postgres.stop)
    const database = await newDatabase(postgres.url)
    const credentials = { bucket: 'images', accessKeyId: 'key', secretAccessKey: 'secret of the harness' }
    const store = await startS3Server(credentials)
    closers.push(store.stop)
    const env = {
      JWT_SECRET: 'the same secret on both servers, long',
      S3_BUCKET: credentials.bucket,
      S3_ENDPOINT: store.endpoint,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      RATE_LIMIT_ADMIN: '0',
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      // The scheduled sweep logs what it removed.
      LOG_LEVEL: 'info',
    }
    const start = async (name: string) => {
      const server = await startServer({ env: { ...env, DATABASE_URL: `${database.url}?application_name=${name}` } })
      closers.push(() => end(server))
      return { name, server }
    }
    const servers = [await start('one'), await start('two')] as const
    const log = await openDeletionLog(database.url, store.objects)
    closers.push(log.close)

    const found = await storm({ ...shape[form], extendedOneIn, servers, log })
    const verdict = await judge({
      ...found,
      log,
      env: { ...env, DATABASE_URL: database.url },
      objects: store.objects,
    })
    return [
      info('images that expired', shape[form].images),
      atLeast('of them deleted', verdict.deleted, shape[form].images / 2),
      none('deleted twice, before their time, or not at all', verdict.wrongDeletions),
      atLeast('extended at the last moment', found.extended.size, 1),
      none('extended images lost', verdict.lost),
      none('freed bytes that were info wrongly', verdict.wrongSums),
      info('bytes freed by the killed server, not reported', verdict.unreportedBytes),
      info('objects without a row, before the janitor', verdict.orphansBefore),
      atMost('objects without a row, after it', verdict.orphansAfter, 0),
      none('wrong replies', found.wrongReplies),
    ]
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

async function end(server: RunningServer): Promise<void> {
  await server.kill()
  await rm(server.dataDir, { recursive: true, force: true })
}
