// F2: power is cut repeatedly during uploads, deletions and extensions. A layer below the server discards unsynced data;
// everything acknowledged must survive.
import { randomInt } from 'node:crypto'
import type { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '../e2e/server.ts'
import { missingForCuts, CuttableFolder } from './power/cut.ts'
import { loseAllUnsynced, loseSomeUnsynced } from './power/disk.ts'
import { Acknowledgements, ownerHeaders } from './power/acknowledgements.ts'
import { selfTestFailures } from './power/self-test.ts'
import { call, described, register, upload } from './client.ts'
import { type Assortment, assortment } from './fault-images.ts'
import { anyOf, keepSending, killWhileSending } from './load/keep-sending.ts'
import { type Defer, openServer, withDeferred } from './resources.ts'
import { atLeast, type Finding, type Form, none, type Scenario, info } from './scenario.ts'
import { leftoversIn, servedAs } from './verify.ts'

const shape = {
  short: { cuts: 2, acknowledged: 10, clients: 8, longestMs: 100, largestPx: 0 },
  full: { cuts: 50, acknowledged: 1000, clients: 32, longestMs: 2000, largestPx: 4000 },
} as const

export const scenario: Scenario = {
  id: 'F2',
  title: 'power cuts amid uploads, deletions and extensions',
  missing: missingForCuts,
  run: (form) => withDeferred((defer) => run(form, defer)),
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const { cuts, acknowledged, clients, longestMs, largestPx } = shape[form]
  const layer = none('wrongs of the layer that forgets', await selfTestFailures())
  const images = await assortment(largestPx)
  const violations: string[] = []
  const outlet = await CuttableFolder.make(defer)
  let server = await openServer(defer, { dataDir: outlet.folder, env: await outlet.plugIn() })
  const token = await register(server.url, 'storm@example.com')
  const promises = new Acknowledgements(await servedAs([...images.small, ...images.large], server.url, token))
  for (let cut = 1; cut <= cuts; cut++) {
    const killAfterMs = randomInt(longestMs)
    violations.push(...(await stormUntilKilled(server, { promises, images, token, clients, killAfterMs })))
    // Alternates between the worst disk and one that preserved some blocks.
    await outlet.cut((disk) => (cut % 2 === 1 ? loseAllUnsynced : loseSomeUnsynced(disk, Math.random)))
    server = await openServer(defer, { dataDir: outlet.folder, env: await outlet.plugIn() })
    violations.push(...(await promises.broken(server.url, token, { onlyNew: true })))
    if (form === 'full' && cut % 5 === 0)
      console.log(`  ${cut} of ${cuts}: ${promises.made} acknowledged, ${violations.length} violations`)
  }
  violations.push(...(await promises.broken(server.url, token, { onlyNew: false })))
  await server.stop()
  return [
    layer,
    info('cuts', cuts),
    atLeast('acknowledged uploads, deletions and extensions', promises.made, acknowledged),
    none('acknowledged and lost, half-written, or back again', violations),
    none(
      'files without a row, rows without a file, temporary files, database errors',
      await leftoversIn(outlet.folder),
    ),
  ]
}

/** The storm continues until this many requests are acknowledged, however slow the machine. */
const acknowledgedAtLeast = 5
/** They take as long as twenty small ones. */
const largeShare = 0.03

interface Storm {
  promises: Acknowledgements
  images: Assortment
  token: string
  clients: number
  killAfterMs: number
}

/**
 * Uploads, deletes and extends until the server is killed.
 * @returns responses that were neither an acknowledgement nor a correct refusal
 */
async function stormUntilKilled(server: RunningServer, storm: Storm): Promise<string[]> {
  const { promises, clients, killAfterMs } = storm
  const wrongs: string[] = []
  const stop = keepSending(clients, (agent, client) =>
    wrongs.length > 0 ? sleep(20) : sendOne(server.url, storm, { agent, isGuest: client % 2 === 0, wrongs }),
  )
  const acknowledged = () => promises.made
  await killWhileSending(server, stop, { acknowledged, acknowledgedAtLeast, killAfterMs, wrongs })
  return wrongs
}

async function sendOne(
  url: string,
  { promises, images, token }: Storm,
  { agent, isGuest, wrongs }: { agent: Agent; isGuest: boolean; wrongs: string[] },
): Promise<void> {
  // The largest ones exceed the guest limit.
  const isLarge = !isGuest && Math.random() < largeShare
  const picture = anyOf(isLarge ? images.large : images.small) ?? images.small[0]
  if (!picture) throw new Error('There is no picture to upload')
  try {
    const reply = await upload(url, picture, isGuest ? { agent } : { agent, token })
    // 503 is a correct response to that many clients; a client retries.
    if (reply.status === 503) return await sleep(50)
    if (reply.status !== 201) return void wrongs.push(`an upload got ${described(reply)}`)
    const fate = promises.uploaded(reply, picture)
    const headers = ownerHeaders(fate, token)
    const image = `${url}/api/images/${fate.image.id}`
    const lot = Math.random()
    if (lot < 0.3) await promises.deleted(fate, () => call(image, { agent, headers, method: 'DELETE' }))
    else if (lot < 0.6)
      await promises.extended(fate, () => call(`${image}/extend-expiration`, { agent, headers, method: 'POST' }))
  } catch (error) {
    // Killed during the request: no response arrived, and nothing is acknowledged.
    if (!isSevered(error)) wrongs.push(String(error))
    await sleep(20)
  }
}

const isSevered = (error: unknown) =>
  ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')
