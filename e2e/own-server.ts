// A server of its own for journeys that change global state of the server.
import { startServer, type RunningServer } from './server.ts'
import { test } from './test.ts'

/**
 * Returns a test function whose pages use a server of its own, one for each worker. It is no fixture of the worker: for each file
 * that has one, Playwright would start another worker with another browser.
 */
export function onOwnServer(env: Record<string, string>) {
  let started: Promise<RunningServer> | undefined
  const onServer = test.extend<{ server: RunningServer }>({
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the used fixtures from the pattern
    server: async ({}, use) => use(await (started ??= startServer({ env }))),
    baseURL: async ({ server }, use) => use(server.url),
  })
  onServer.afterAll(async () => {
    const server = await started
    started = undefined
    await server?.stop()
  })
  return onServer
}
