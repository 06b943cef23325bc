// F17: two servers on PostgreSQL and S3 behind Caddy, as in compose.scale.yaml. One of them is killed under load, again and again.
import { setTimeout as sleep } from 'node:timers/promises'
import { register } from './client.ts'
import { jpeg } from './fault-images.ts'
import { atLeast, type Finding, info, none, type Scenario } from './scenario.ts'
import type { Defer } from './resources.ts'
import { type FailedRequest, missingForScaledServers, openScaledServers, startLoad } from './scale/scaled-servers.ts'

const clients = 16
const kills = 10
const betweenKillsMs = 6000

async function run(defer: Defer): Promise<Finding[]> {
  const { url, restart } = await openScaledServers(defer, {})
  const token = await register(url, 'scale@example.com')
  const image = await jpeg(600, 400, 3)
  const load = startLoad({ clients, views: 1, url, token, image })
  defer(load.stop)
  await sleep(betweenKillsMs)
  const killed: { from: number; until: number }[] = []
  for (let n = 0; n < kills; n++) {
    const kill = async (server: { kill(): Promise<void> }) => {
      const from = performance.now()
      await server.kill()
      killed.push({ from, until: performance.now() })
    }
    await restart(n % 2, kill, betweenKillsMs / 2)
    await sleep(betweenKillsMs / 2)
  }
  await load.stop()
  const { ledger, failures, refusals } = load
  const wasInFlight = ({ startedAt, endedAt }: FailedRequest) =>
    killed.some(({ from, until }) => startedAt < until && endedAt > from)
  const others = failures.filter((failure) => !wasInFlight(failure))
  return [
    info('kills', killed.length),
    info('clients', clients),
    atLeast('uploads acknowledged', ledger.acknowledged.length, clients),
    info('responses of 503 with Retry-After, whose requests were repeated', refusals.length),
    info('failed requests that were in flight when their server was killed', failures.length - others.length),
    none(
      'other failed requests',
      others.map(({ what }) => what),
    ),
    none('acknowledged images lost or damaged', await ledger.violations(url)),
  ]
}

export const scenario: Scenario = {
  id: 'F17',
  title: 'two servers behind Caddy, one of them killed under load',
  missing: missingForScaledServers,
  run: (_, defer) => run(defer),
}
