// A server of its own for journeys that change global state of the server.
import { startServer, type RunningServer } from './server.ts'
import { test } from './test.ts'

/** Returns a test function whose pages use a server of its own, one for each worker. */
export const onOwnServer = (env: Record<string, string>) =>
  test.extend<object, { server: RunningServer }>({
    server: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads the used fixtures from the pattern
      async ({}, use) => {
        const server = await startServer({ env })
        await use(server)
        await server.stop()
      },
      { scope: 'worker' },
    ],
    baseURL: async ({ server }, use) => use(server.url),
  })
