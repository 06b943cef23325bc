// F5: another process holds SQLite's write lock; then the file itself is damaged.
import { register } from './client.ts'
import { Ledger } from './ledger.ts'
import { jpeg } from './fault-images.ts'
import { type Defer, openServer } from './resources.ts'
import { atLeast, atMost, type Finding, type Form, none, type Scenario, info } from './scenario.ts'
import { damageWhileServing, tryStartsOnDamagedFile } from './sqlite/damage.ts'
import { type HoldDuration, holdLock } from './sqlite/lock.ts'
import { noLeftovers } from './verify.ts'

const holds: Record<Form, HoldDuration[]> = { short: [{ untilReads: 8 }, 'until refused'], full: [1000, 6000, 30_000] }
const readsAtLeast = 8
/** Up to this duration the server waits and succeeds. */
const patienceMs = 5000
/** Images are still served meanwhile: the goals of F11, plus tolerance for pauses of the machine. */
const readWithinMs = 500

export const scenario: Scenario = {
  id: 'F5',
  title: 'SQLite locked by another, then damaged',
  run,
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const server = await openServer(defer)
  const { dataDir } = server
  const ledger = new Ledger()
  const images = await Promise.all([0, 1, 2, 3].map((seed) => jpeg(240, 180, seed)))
  const token = await register(server.url, 'locked@example.com')
  for (const image of images) await ledger.learn(server.url, image, { token })
  const findings: Finding[] = []
  for (const hold of holds[form]) {
    const { refused, reads, slowestReadMs, violations } = await holdLock({ server, token, ledger, images }, hold)
    const name = typeof hold === 'number' ? `locked for ${hold / 1000} s` : `locked ${nameOf(hold)}`
    const isLong = hold === 'until refused' || (typeof hold === 'number' && hold > patienceMs)
    findings.push(
      isLong ? atLeast(`${name}: writes refused with 503`, refused, 1) : atMost(`${name}: writes refused`, refused, 0),
      atLeast(`${name}: pictures read meanwhile`, reads, readsAtLeast),
      none(`${name}: wrong replies, uploads lost or doubled, deletions undone`, violations),
      form === 'full'
        ? atMost(`${name}: slowest read`, slowestReadMs, readWithinMs, ' ms')
        : info(`${name}: slowest read`, `${Math.round(slowestReadMs)} ms`),
    )
  }
  findings.push(
    none('acknowledged images lost or half-written', await ledger.violations(server.url, { variantsOfEvery: 1 })),
  )
  await server.stop()
  findings.push(await noLeftovers(dataDir))
  const { tried, violations } = await tryStartsOnDamagedFile(dataDir, form === 'full' ? Infinity : 2)
  const next = await openServer(defer, { dataDir })
  return [
    ...findings,
    none(`${tried} starts on a damaged file: not refused, not named, or written to`, violations),
    none(
      'wrong replies of a server whose file is damaged under it',
      await damageWhileServing(next, images[0] as Buffer),
    ),
  ]
}

const nameOf = (hold: Exclude<HoldDuration, number>) =>
  typeof hold === 'object' ? 'for a moment' : 'until all is refused'
