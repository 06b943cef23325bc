// F1: the process is killed repeatedly during uploads. Everything acknowledged with 201 must be complete, with nothing half-done.
import { register } from './client.ts'
import { assortment } from './fault-images.ts'
import { Ledger } from './ledger.ts'
import { stormUntilKilled } from './load/kill-storm.ts'
import { type Defer, openFolder, openServer } from './resources.ts'
import { percentile } from './percentile.ts'
import { atLeast, atMost, type Finding, type Form, info, inFull, none, type Scenario } from './scenario.ts'
import { noLeftovers } from './verify.ts'

const clients = 32
const shape = {
  short: { cycles: 2, acknowledged: 20, longestMs: 200, largestPx: 1000 },
  full: { cycles: 200, acknowledged: 20_000, longestMs: 5000, largestPx: 4000 },
} as const
const shortestMs = 200
/** The goal: from process start to the first successful response. */
const readyWithinMs = 3000

export const scenario: Scenario = {
  id: 'F1',
  title: `kill -9 amid the uploads of ${clients} clients`,
  run,
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const { cycles, acknowledged, longestMs, largestPx } = shape[form]
  const images = await assortment(largestPx)
  const violations: string[] = []
  const ended: string[] = []
  const startsMs: number[] = []
  const dataDir = await openFolder(defer)
  let server = await openServer(defer, { dataDir })
  const token = await register(server.url, 'storm@example.com')
  const ledger = new Ledger()
  for (const image of [...images.small, ...images.large]) await ledger.learn(server.url, image, { token })
  // On a slow machine it takes more cycles until enough is acknowledged, within a limit. A failed storm ends the run.
  const isDone = (cycle: number) =>
    ended.length > 0 || (cycle > cycles && (ledger.acknowledged.length >= acknowledged || cycle > 2 * cycles))
  for (let cycle = 1; !isDone(cycle); cycle++) {
    const killAfterMs = shortestMs + Math.random() * (longestMs - shortestMs)
    ended.push(...(await stormUntilKilled(server, { ledger, images, token, clients, killAfterMs })))
    const start = performance.now()
    server = await openServer(defer, { dataDir })
    startsMs.push(performance.now() - start)
    violations.push(...(await ledger.violations(server.url, { token, onlyNew: true, variantsOfEvery: 10 })))
    if (form === 'full' && cycle % 10 === 0)
      console.log(`  cycle ${cycle}: ${ledger.acknowledged.length} acknowledged, ${violations.length} violations`)
  }
  // Images that survived their own crash must survive all later ones.
  violations.push(...(await ledger.violations(server.url, { token })))
  await server.stop()
  return [
    atLeast('uploads acknowledged', ledger.acknowledged.length, acknowledged),
    atLeast('cycles', startsMs.length, cycles),
    none('before the kill: servers that exited or acknowledged nothing, responses that are no correct refusal', ended),
    none('acknowledged images lost, half-written or without a variant', violations),
    await noLeftovers(dataDir),
    inFull(atMost('longest start, to its first successful response', Math.max(...startsMs), readyWithinMs, ' ms')),
    info('median start', `${Math.round(percentile(startsMs, 0.5))} ms`),
  ]
}
