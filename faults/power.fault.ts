// F2: power is cut repeatedly during uploads, deletions and extensions. A layer below the server discards unsynced data;
// everything acknowledged must survive.
import { randomInt } from 'node:crypto'
import { missingForCuts, openCuttableFolder } from './power/cut.ts'
import { loseAllUnsynced, loseSomeUnsynced } from './power/disk.ts'
import { selfTestFailures } from './power/self-test.ts'
import { register } from './client.ts'
import { assortment } from './fault-images.ts'
import { Ledger } from './ledger.ts'
import { stormUntilKilled } from './load/kill-storm.ts'
import { type Defer, openServer } from './resources.ts'
import { atLeast, type Finding, type Form, none, type Scenario, info } from './scenario.ts'
import { noLeftovers } from './verify.ts'

const shape = {
  short: { cuts: 2, acknowledged: 10, clients: 8, longestMs: 100, largestPx: 0 },
  full: { cuts: 50, acknowledged: 1000, clients: 32, longestMs: 2000, largestPx: 4000 },
} as const

/** Of the uploaded images, those that are deleted or extended. */
const changedShare = 0.6

export const scenario: Scenario = {
  id: 'F2',
  title: 'power cuts amid uploads, deletions and extensions',
  missing: missingForCuts,
  run,
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const { cuts, acknowledged, clients, longestMs, largestPx } = shape[form]
  const layer = none('wrongs of the layer that forgets', await selfTestFailures())
  const images = await assortment(largestPx)
  const violations: string[] = []
  const outlet = await openCuttableFolder(defer)
  let server = await openServer(defer, { dataDir: outlet.folder, env: await outlet.plugIn() })
  const token = await register(server.url, 'storm@example.com')
  const ledger = new Ledger()
  for (const image of [...images.small, ...images.large]) await ledger.learn(server.url, image, { token })
  for (let cut = 1; cut <= cuts; cut++) {
    const killAfterMs = randomInt(longestMs)
    violations.push(...(await stormUntilKilled(server, { ledger, images, token, clients, killAfterMs, changedShare })))
    // Alternates between the worst disk and one that preserved some blocks.
    await outlet.cut((disk) => (cut % 2 === 1 ? loseAllUnsynced : loseSomeUnsynced(disk, Math.random)))
    server = await openServer(defer, { dataDir: outlet.folder, env: await outlet.plugIn() })
    violations.push(...(await ledger.violations(server.url, { token, onlyNew: true, variantsOfEvery: 10 })))
    if (form === 'full' && cut % 5 === 0)
      console.log(`  ${cut} of ${cuts}: ${ledger.made} acknowledged, ${violations.length} violations`)
  }
  violations.push(...(await ledger.violations(server.url, { token })))
  await server.stop()
  return [
    layer,
    info('cuts', cuts),
    atLeast('acknowledged uploads, deletions and extensions', ledger.made, acknowledged),
    none('acknowledged and lost, half-written, or back again', violations),
    await noLeftovers(outlet.folder),
  ]
}
