// One server for all journeys; those that break things start their own.
import { startServer } from './server.ts'

/** Answers how to end it: a clean stop is part of what is tested. */
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
