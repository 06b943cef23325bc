// A port for a server that cannot be told to take any that is free, and say which.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** @returns one that nobody had a moment ago */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
