// F1: the process is killed repeatedly during uploads. Everything acknowledged with 201 must be complete, with nothing half-done.
import { Acknowledgements } from './acknowledgements.ts'
import { register } from './client.ts'
import { assortment } from './fault-images.ts'
import { stormUntilKilled } from './load/kill-storm.ts'
import { type Defer, openFolder, openServer } from './resources.ts'
import { percentile } from './percentile.ts'
import { atLeast, atMost, type Finding, type Form, none, type Scenario, info } from './scenario.ts'
import { noLeftovers, servedAs } from './verify.ts'

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
  const promises = new Acknowledgements(await servedAs([...images.small, ...images.large], server.url, token))
  // On a slow machine it takes more cycles until enough is acknowledged, within a limit. A failed storm ends the run.
  const isDone = (cycle: number) =>
    ended.length > 0 || (cycle > cycles && (promises.uploads >= acknowledged || cycle > 2 * cycles))
  for (let cycle = 1; !isDone(cycle); cycle++) {
    const killAfterMs = shortestMs + Math.random() * (longestMs - shortestMs)
    ended.push(...(await stormUntilKilled(server, { promises, images, token, clients, killAfterMs })))
    const start = performance.now()
    server = await openServer(defer, { dataDir })
    startsMs.push(performance.now() - start)
    violations.push(...(await promises.broken(server.url, token, { onlyNew: true })))
    if (form === 'full' && cycle % 10 === 0)
      console.log(`  cycle ${cycle}: ${promises.uploads} acknowledged, ${violations.length} violations`)
  }
  // Images that survived their own crash must survive all later ones.
  violations.push(...(await promises.broken(server.url, token, { onlyNew: false })))
  await server.stop()
  return [
    atLeast('uploads acknowledged', promises.uploads, acknowledged),
    atLeast('cycles', startsMs.length, cycles),
    none('before the kill: servers that exited or acknowledged nothing, responses that are no correct refusal', ended),
    none('acknowledged images lost, half-written or without a variant', violations),
    await noLeftovers(dataDir),
    // Other tests run beside the short form: it has no time goal.
    ...(form === 'full'
      ? [atMost('longest start, to its first successful response', Math.max(...startsMs), readyWithinMs, ' ms')]
      : []),
    info('median start', `${Math.round(percentile(startsMs, 0.5))} ms`),
  ]
}
