// For journeys that would be in the way of others on the server that all share.
import { startServer, type RunningServer } from './server.ts'
import { test } from './test.ts'

/** Their pages are those of a server of its own: one for each worker's tests. */
export const onOwnServer = (env: Record<string, string>) =>
  test.extend<object, { server: RunningServer }>({
    server: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads from it what is needed
      async ({}, use) => {
        const server = await startServer({ env })
        await use(server)
        await server.stop()
      },
      { scope: 'worker' },
    ],
    baseURL: async ({ server }, use) => use(server.url),
  })
