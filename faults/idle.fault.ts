// F10: as many connections as the server accepts, nearly all idle. Active clients must hardly notice.
import { type Crowd, openConnections, missingForCrowd } from './load/crowd.ts'
import { figuresOf, measureClients, startGoodClients } from './load/good-client.ts'
import { store } from './client.ts'
import { jpeg } from './fault-images.ts'
import { atLeast, atMost, type Finding, type Form, info, inFull, none, type Scenario } from './scenario.ts'
import { MB, watchMemory } from './processes.ts'
import { type Defer, openServer } from './resources.ts'

/**
 * Of the server's 10,000 connections (server/http/node-server.ts, maxConnections) 50 are left to active clients. A connection that is
 * silent for 7 s is closed, so an idle one sends a small request every 4 s: 2,500 requests per second belong to the scenario.
 */
const shape = {
  short: { idle: 200, perSecond: 50, forMs: 1000 },
  full: { idle: 9950, perSecond: 200, forMs: 60_000 },
} as const
/** Connections opened per second by all crowds together. */
const openedPerSecond = 3000
const crowdCount = 2
const gatherMs = 60_000
const goals = { slowdown: 2, serverBytes: 500 * MB }
/** Including the server's own descriptors and those of well-behaved clients. */
const neededFiles = { short: 500, full: 10_500 }

export const scenario: Scenario = {
  id: 'F10',
  title: 'ten thousand connections, nearly all of them idle',
  missing: async (form) => missingForCrowd(form, neededFiles),
  run,
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const { idle, perSecond, forMs } = shape[form]
  const server = await openServer(defer)
  const image = await store(server.url, await jpeg(640, 480))
  const memory = watchMemory(server.pid)
  defer(memory.stop)
  // First, so that the well-behaved clients get their connections.
  const quiet = await measureClients(server.url, image, { perSecond, forMs: forMs / 2 })
  const stop = startGoodClients(server.url, image, perSecond)
  const port = Number(new URL(server.url).port)
  const crowds = Array.from({ length: crowdCount }, () =>
    openConnections(defer, {
      port,
      kind: 'idle',
      size: idle / crowdCount,
      path: '/healthz',
      perSecond: openedPerSecond / crowdCount,
    }),
  )
  await Promise.all(crowds.map((crowd) => crowd.gathered(gatherMs)))
  const gathering = await stop()
  const crowded = await measureClients(server.url, image, { perSecond, forMs })
  const sum = (figure: keyof Crowd['figures']) => crowds.reduce((all, { figures }) => all + figures[figure], 0)
  const [open, opened, refused] = [sum('open'), sum('opened'), sum('refused')]
  const { server: serverBytes } = memory.stop()
  return [
    atLeast('idle connections opened', opened, idle),
    // On a busy machine some send their next request too late and must reconnect.
    form === 'full' ? atLeast('of them open at the end', open, 0.95 * idle) : info('of them open at the end', open),
    atMost('idle connections refused', refused, 0),
    none(
      'good requests refused, broken off or wrong',
      [quiet, gathering, crowded].flatMap(({ wrong }) => wrong),
    ),
    info('good requests when quiet', figuresOf(quiet)),
    info('good requests in the crowd', figuresOf(crowded)),
    inFull(atMost('slower than when quiet, p99', crowded.p99Ms / quiet.p99Ms, goals.slowdown, ' times')),
    atMost('memory of the server', serverBytes / MB, goals.serverBytes / MB, ' MB'),
  ]
}
