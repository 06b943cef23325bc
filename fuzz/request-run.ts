// Sends generated requests to a running server in rounds, and checks every response.
import type { RunningServer } from '../e2e/server.ts'
import { call } from '../faults/client.ts'
import { sampleCases, shrinkCase } from './cases.ts'
import type { Report } from './report.ts'
import { requestCase } from './request-case.ts'
import { violationOfRequest } from './send-request.ts'
import { createFixtures } from './fixtures.ts'
import { inParallel } from '../faults/load/keep-sending.ts'

const clients = 8
/** Requests per set of fixtures. */
const roundSize = 100

export async function runRequests(
  server: Pick<RunningServer, 'url' | 'pid'>,
  image: Buffer,
  { seed, count, slowestMs, report }: { seed: number; count: number; slowestMs: number; report: Report },
): Promise<void> {
  for (let sent = 0, round = 0; sent < count; sent += roundSize, round++) {
    const target = {
      url: server.url,
      image,
      slowestMs,
      fixtures: await createFixtures(server.url, image, round),
    }
    const sampled = sampleCases(requestCase, seed + round, Math.min(roundSize, count - sent))
    await inParallel(clients, sampled, async (one) => {
      const violation = await violationOfRequest(target, one.value, (reply) => report.addResponse(reply))
      if (violation === undefined || !report.addViolation(violation)) return
      const smallest = await shrinkCase(
        requestCase,
        one,
        async (value) => (await violationOfRequest(target, value)) !== undefined,
      )
      await report.saveRegression(violation, { kind: 'request', request: smallest })
    })
    // Detects a server that is broken after the round.
    const { status } = await call(`${server.url}/readyz`)
    if (status !== 200) report.addViolation(`after round ${round} /readyz responds ${status}`)
  }
}
