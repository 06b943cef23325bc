// F1: the process is killed repeatedly during uploads. Everything acknowledged with 201 must be complete, with nothing half-done.
import { register } from './client.ts'
import { Ledger } from './ledger.ts'
import { assortment } from './fault-images.ts'
import { stormUntilKilled } from './load/kill-storm.ts'
import { type Defer, openFolder, openServer, withDeferred } from './resources.ts'
import { atLeast, atMost, type Finding, type Form, none, type Scenario, info } from './scenario.ts'
import { violationsOf, leftoversIn, servedAs } from './verify.ts'

const clients = 32
const shape = {
  short: { cycles: 2, acknowledged: 20, longestMs: 200, largestPx: 1600 },
  full: { cycles: 200, acknowledged: 20_000, longestMs: 5000, largestPx: 4000 },
} as const
const shortestMs = 200
/** The goal: from process start to the first successful response. */
const readyWithinMs = 3000

export const scenario: Scenario = {
  id: 'F1',
  title: `kill -9 amid the uploads of ${clients} clients`,
  run: (form) => withDeferred((defer) => run(form, defer)),
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const { cycles, acknowledged, longestMs, largestPx } = shape[form]
  const images = await assortment(largestPx)
  const ledger = new Ledger()
  const violations: string[] = []
  const ended: string[] = []
  const startsMs: number[] = []
  const dataDir = await openFolder(defer)
  let server = await openServer(defer, { dataDir })
  const token = await register(server.url, 'storm@example.com')
  const served = await servedAs([...images.small, ...images.large], server.url, token)
  // On a slow machine it takes more cycles until enough is acknowledged, within a limit. A failed storm ends the run.
  const isDone = (cycle: number) =>
    ended.length > 0 || (cycle > cycles && (ledger.acknowledged.length >= acknowledged || cycle > 2 * cycles))
  for (let cycle = 1; !isDone(cycle); cycle++) {
    const before = ledger.acknowledged.length
    const killAfterMs = shortestMs + Math.random() * (longestMs - shortestMs)
    ended.push(...(await stormUntilKilled(server, { ledger, images, token, clients, killAfterMs })))
    const start = performance.now()
    server = await openServer(defer, { dataDir })
    startsMs.push(performance.now() - start)
    // All images of this cycle; one in ten with every kind of variant.
    const ofCycle = ledger.acknowledged.slice(before)
    violations.push(...(await violationsOf(ofCycle, server.url, { variants: (at) => at % 10 === 0, served })))
    if (form === 'full' && cycle % 10 === 0)
      console.log(`  cycle ${cycle}: ${ledger.acknowledged.length} acknowledged, ${violations.length} violations`)
  }
  // Images that survived their own crash must survive all later ones.
  violations.push(...(await violationsOf(ledger.acknowledged, server.url, { variants: false, served })))
  await server.stop()
  const litter = await leftoversIn(dataDir)
  return [
    atLeast('uploads acknowledged', ledger.acknowledged.length, acknowledged),
    atLeast('cycles', startsMs.length, cycles),
    none('servers that exited by themselves, or acknowledged nothing, before they were killed', ended),
    none('acknowledged images lost, half-written or without a variant', violations),
    none('files without a row, rows without a file, temporary files, database errors', litter),
    // Other tests run beside the short form: it has no time goal.
    ...(form === 'full'
      ? [atMost('longest start, to its first successful response', Math.max(...startsMs), readyWithinMs, ' ms')]
      : []),
    info('median start', `${Math.round(median(startsMs))} ms`),
  ]
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
