// F21: two servers on PostgreSQL and S3 behind Caddy, as in compose.scale.yaml, restarted one after the other under load.
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { bearer, formHeaders, formOf, register } from './client.ts'
import { jpeg } from './fault-images.ts'
import { atLeast, type Finding, info, none, type Scenario } from './scenario.ts'
import type { Defer } from './resources.ts'
import { missingForScaledServers, openScaledServers, startLoad } from './scale/scaled-servers.ts'

const clients = 8
const viewsOfEach = 10
const restarts = 10
/** On a slow or busy machine it takes more restarts until enough was sent. */
const maxRestarts = 40
const minUploads = 1000
/** In which Caddy asks a server that has started, before the other one stops. */
const betweenRestartsMs = 3000
/** Between the halves of a slow upload. */
const pauseMs = 3000

async function run(defer: Defer): Promise<Finding[]> {
  // The default, without which the harness starts its servers.
  const { url, restart } = await openScaledServers(defer, { DRAIN_SECONDS: '5' })
  const token = await register(url, 'rolling@example.com')
  const image = await jpeg(600, 400, 3)
  const load = startLoad({ clients, views: viewsOfEach, url, token, image })
  defer(load.stop)
  const slow = startSlowUploads(url, token, image)
  defer(slow.stop)
  const codes: (number | null)[] = []
  const isEnough = () => load.ledger.acknowledged.length >= minUploads || codes.length >= maxRestarts
  for (let n = 0; n < restarts || !isEnough(); n++) {
    await sleep(betweenRestartsMs)
    await restart(n % 2, async (server) => codes.push(await server.stop()))
  }
  await sleep(betweenRestartsMs)
  const statuses = await slow.stop()
  await load.stop()
  const { ledger, failures, refusals } = load
  const uploads = ledger.acknowledged.length
  return [
    info('restarts', codes.length),
    none('servers that did not end with 0', codes.filter((code) => code !== 0).map(String)),
    atLeast('uploads acknowledged', uploads, minUploads),
    atLeast('views', uploads * viewsOfEach, minUploads * viewsOfEach),
    info('slow uploads', statuses.length),
    info('responses of 503 with Retry-After, whose requests were repeated', refusals.length),
    none('failed requests', [
      ...failures.map(({ what }) => what),
      ...statuses.filter((status) => status !== '201').map((status) => `slow upload: ${status}`),
    ]),
    none('acknowledged images lost or damaged', await ledger.violations(url)),
  ]
}

/** Three clients whose uploads take longer than a server takes to be noticed. */
function startSlowUploads(url: string, token: string, image: Buffer): { stop: () => Promise<string[]> } {
  let isEnding = false
  const statuses: string[] = []
  const client = async () => {
    while (!isEnding) statuses.push(await uploadSlowly(url, token, image))
  }
  const running = Promise.all([client(), sleep(1000).then(client), sleep(2000).then(client)])
  return {
    async stop() {
      isEnding = true
      await running
      return statuses
    },
  }
}

const uploadSlowly = (url: string, token: string, image: Buffer) =>
  new Promise<string>((resolve) => {
    const body = formOf(image)
    const headers = { ...formHeaders, ...bearer(token), 'content-length': body.length }
    const sent = request(`${url}/api/upload`, { method: 'POST', headers })
    sent.once('error', (error) => resolve(String(error)))
    sent.once('response', (response) => {
      response.resume().once('end', () => resolve(String(response.statusCode)))
    })
    sent.write(body.subarray(0, body.length / 2))
    setTimeout(() => sent.end(body.subarray(body.length / 2)), pauseMs)
  })

export const scenario: Scenario = {
  id: 'F21',
  title: 'two servers behind Caddy, restarted one after the other under load',
  missing: missingForScaledServers,
  run: (_, defer) => run(defer),
}
