// Finds a free port for a server that cannot choose one itself.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections (from 32,768 on Linux, 49,152 elsewhere). Tests open thousands of
 * those, also another run's, and one of them could take the port before its server listens.
 */
const range = [20_000, 32_768] as const

/** @returns a port that was free a moment ago */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(...range)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
  throw new Error(`No port from ${range[0]} to ${range[1]} is free`)
}
