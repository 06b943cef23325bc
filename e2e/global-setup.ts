// Starts one server for all journeys. Those that change global state start their own.
import { startServer } from './server.ts'

/** Returns the teardown: a clean stop is part of the test. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startServer({
    env: { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'secret admin', DB_VIEW_PIN: '1234' },
  })
  process.env.E2E_URL = server.url
  return async () => {
    const code = await server.stop()
    if (code !== 0) throw new Error(`The server ended with ${code} after SIGTERM:\n${server.log()}`)
  }
}
