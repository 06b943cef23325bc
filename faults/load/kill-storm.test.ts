// The storm of F1 and F2 detects a server that exits by itself or acknowledges nothing, and ends in each case.
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type RunningServer, startServer } from '../../e2e/server.ts'
import { jpeg } from '../fault-images.ts'
import { Ledger } from '../ledger.ts'
import { killWhileSending, stormUntilKilled } from './kill-storm.ts'

const timeout = 30_000

async function openServer(env: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer({ env })
  onTestFinished(async () => {
    await server.kill()
    await rm(server.dataDir, { recursive: true, force: true })
  })
  return server
}

/** The token is invalid. */
async function stormOn(server: RunningServer): Promise<string[]> {
  const images = { small: [await jpeg(160, 120)], large: [] }
  return stormUntilKilled(server, { ledger: new Ledger(), images, token: 'nobody', clients: 2, killAfterMs: 0 })
}

test('a server that exits by itself is reported', { timeout }, async () => {
  const server = await openServer()
  process.kill(server.pid, 'SIGKILL')
  expect(await stormOn(server)).toEqual([expect.stringContaining('it ended by itself')])
})

test('a server that refuses for no good reason is reported', { timeout }, async () => {
  const wrongs = await stormOn(await openServer({ GUEST_UPLOADS: 'off' }))
  expect(wrongs).toContainEqual(expect.stringMatching(/^an upload got 40[13]/))
})

test('the wait for a server that acknowledges nothing ends', { timeout }, async () => {
  const wrongs: string[] = []
  const end = { ledger: new Ledger(), killAfterMs: 0, withinMs: 300, wrongs }
  await killWhileSending(await openServer(), async () => {}, end)
  expect(wrongs).toEqual(['fewer than 10 promises within 300 ms'])
})
