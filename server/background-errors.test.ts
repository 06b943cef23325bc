// Background work has nobody who waits for it: its errors are logged, and the process lives. The test runner fails on every error
// that reaches nobody.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BackgroundTask, backgroundTasks } from './domain/shared/background-tasks.ts'
import type { Deps } from './domain/shared/deps.ts'
import { openViewCounts } from './domain/delivery/view-counts.ts'
import { jobNames, openJobs } from './jobs.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { startSmtpServer, type TestSmtpServer } from './testing/smtp-server.ts'
import { jpeg } from './testing/test-images.ts'

/** Set in work whose database, store and decoders fail. */
const planted = new AsyncLocalStorage<true>()
const failWhenPlanted = () => {
  if (planted.getStore()) throw new Error('planted')
}
const failing: KyselyPlugin = {
  transformQuery({ node }) {
    failWhenPlanted()
    return node
  },
  transformResult: async ({ result }) => result,
}

/** Everything that background work can depend on fails, but for what is needed to start it. */
async function withPlantedErrors(deps: Deps): Promise<Deps> {
  const { background, blobs, imaging } = deps
  const render: Deps['imaging']['render'] = async (...given) => {
    failWhenPlanted()
    return imaging.render(...given)
  }
  const db = deps.db.withPlugin(failing)
  return {
    ...deps,
    db,
    viewCounts: openViewCounts(db, deps.now, true),
    blobs: {
      ...blobs,
      async read(...given) {
        failWhenPlanted()
        return blobs.read(...given)
      },
    },
    imaging: Object.assign(Object.create(imaging) as Deps['imaging'], { render }),
    background: {
      ...background,
      start: (name, work) => planted.run(true, () => background.start(name, work)),
    },
  }
}

let smtp: TestSmtpServer
let app: TestApp
let admin: { token: string; email: string }
beforeAll(async () => {
  smtp = await startSmtpServer()
  app = await startTestApp(
    {
      SMTP_URL: smtp.url,
      SUPPORT_EMAIL: 'support@example.com',
      BACKUP_SCHEDULE: '0 3 * * *',
      PURGE_URL: 'http://127.0.0.1:1/',
      PURGE_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
    },
    undefined,
    { wrap: withPlantedErrors },
  )
  const user = await app.newUser()
  await app.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', user.id).execute()
  admin = user
})
afterAll(async () => {
  await app.stop()
  await smtp.stop()
})

/** What starts each. */
const triggers: Record<BackgroundTask, () => Promise<unknown>> = {
  async avif() {
    const { id } = await app.guestImage(await jpeg())
    return app.request(`/i/${id}.jpg?w=200&fmt=auto`, { headers: { accept: 'image/avif,image/webp' } })
  },
  backup: () => app.call('POST', '/api/database/backup', { token: admin.token }),
  mailPasswordReset: () => app.call('POST', '/api/password-reset', { body: { email: admin.email } }),
  mailRegistration: () =>
    app.call('POST', '/api/register', { body: { email: 'new@example.com', password: 'secret-1' } }),
}

/** Runs `work` to its end. @returns the messages of the errors that it has logged */
async function errorsLoggedBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = app.logged.length
  await work()
  await app.deps.background.idle()
  return app.logged.slice(before).flatMap(({ err }) => (err as Error | undefined)?.message ?? [])
}

it.each(backgroundTasks)('an error in the background task %s is logged, and the server goes on', async (name) => {
  expect(await errorsLoggedBy(triggers[name])).toContain('planted')
  expect((await app.call('GET', '/readyz')).status).toBe(200)
})

it.each(jobNames)('an error in the job %s is logged, and the server goes on', async (name) => {
  app.deps.viewCounts.count('an image')
  const job = openJobs(app.deps).find((one) => one.name === name)
  expect(await errorsLoggedBy(() => planted.run(true, async () => job?.run()))).toContain('planted')
  expect((await app.call('GET', '/readyz')).status).toBe(200)
})
