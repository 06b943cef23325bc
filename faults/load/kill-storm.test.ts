// The storm of F1 detects a server that exits by itself or acknowledges nothing, and ends in both cases.
import { describe, expect, test } from 'vitest'
import { rm } from 'node:fs/promises'
import { type RunningServer, startServer } from '../../e2e/server.ts'
import { Ledger } from '../ledger.ts'
import { jpeg } from '../fault-images.ts'
import { stormUntilKilled } from './kill-storm.ts'

async function stormOn(server: RunningServer, withinMs: number): Promise<string[]> {
  const image = await jpeg(160, 120)
  const images = { small: [image], large: [image] }
  try {
    // The token is invalid and guest uploads are off: nothing is acknowledged.
    return await stormUntilKilled(server, {
      ledger: new Ledger(),
      images,
      token: 'nobody',
      clients: 2,
      killAfterMs: 0,
      withinMs,
    })
  } finally {
    await server.kill()
    await rm(server.dataDir, { recursive: true, force: true })
  }
}

describe('the kill storm', () => {
  test('reports a server that exits by itself', { timeout: 30_000 }, async () => {
    const server = await startServer()
    process.kill(server.pid, 'SIGKILL')
    expect(await stormOn(server, 20_000)).toEqual([expect.stringContaining('it ended by itself')])
  })

  test('ends when the server acknowledges nothing', { timeout: 30_000 }, async () => {
    const server = await startServer({ env: { GUEST_UPLOADS: 'off' } })
    expect(await stormOn(server, 300)).toEqual(['fewer than 10 promises within 300 ms'])
  })
})
