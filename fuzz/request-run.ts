// Sends requests over the contract to a running server, in rounds, and judges every answer.
import { Agent } from 'node:http'
import type { RunningServer } from '../e2e/server.ts'
import { call } from '../faults/client.ts'
import { draw, smallest } from './cases.ts'
import type { Report } from './report.ts'
import { requestCase } from './request-case.ts'
import { flawOfRequest } from './send-request.ts'
import { createFixtures } from './fixtures.ts'
import { inParallel } from './workers.ts'

const clients = 8
/** Then accounts, images and tokens are new again. */
const roundSize = 100

export async function runRequests(
  server: Pick<RunningServer, 'url' | 'pid'>,
  picture: Buffer,
  { seed, count, slowestMs, report }: { seed: number; count: number; slowestMs: number; report: Report },
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  try {
    for (let sent = 0, round = 0; sent < count; sent += roundSize, round++) {
      const target = {
        url: server.url,
        picture,
        agent,
        slowestMs,
        fixtures: await createFixtures(server.url, picture, round),
      }
      const drawn = draw(requestCase, seed + round, Math.min(roundSize, count - sent))
      await inParallel(clients, drawn, async (one) => {
        const flaw = await flawOfRequest(target, one.value, (reply) => report.answered(reply))
        if (flaw === undefined || !report.isNew(flaw)) return
        const least = await smallest(
          requestCase,
          one,
          async (value) => (await flawOfRequest(target, value)) !== undefined,
        )
        await report.keep(flaw, { kind: 'request', request: least })
      })
      // What was polluted or broken for good shows in the next answer.
      const { status } = await call(`${server.url}/readyz`)
      if (status !== 200) report.isNew(`after round ${round} the server answers ${status} to /readyz`)
    }
  } finally {
    agent.destroy()
  }
}
