// F9: thousands of clients that send or read next to nothing. Good clients must hardly notice, and every bad one is disconnected.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { call, register, store } from './client.ts'
import { type Crowd, type CrowdOptions, openConnections, missingForCrowd } from './load/crowd.ts'
import { figuresOf, measureClients } from './load/good-client.ts'
import { jpeg } from './fault-images.ts'
import { atLeast, atMost, type Finding, type Form, info, inFull, none, type Scenario } from './scenario.ts'
import { MB, socketsOf, watchMemory } from './processes.ts'
import { type Defer, openServer, withDeferred } from './resources.ts'
import { untilTrue } from './until.ts'

type Kind = Exclude<CrowdOptions['kind'], 'idle'>
const shape = {
  short: {
    crowds: { slowloris: 60, 'slow-upload': 30, 'half-closed': 10, 'never-reading': 5 },
    quietMs: 300,
    attackMs: 1000,
    largePx: 1200,
  },
  full: {
    crowds: { slowloris: 5000, 'slow-upload': 1000, 'half-closed': 200, 'never-reading': 100 },
    quietMs: 30_000,
    attackMs: 60_000,
    largePx: 4000,
  },
} as const satisfies Record<Form, { crowds: Record<Kind, number>; quietMs: number; attackMs: number; largePx: number }>

const goodPerSecond = 50
const gatherMs = 60_000
const staying = ['slowloris', 'slow-upload', 'never-reading'] as const
/** A client that half-closes during an upload is disconnected at once and reconnects: fewer of them, or they are a flood. */
const openedPerSecond: Record<Kind, number> = {
  slowloris: 1000,
  'slow-upload': 500,
  'half-closed': 20,
  'never-reading': 100,
}
/** The server's timeouts for a header and the body of an ordinary request, and its check interval. */
const timeoutMs = { head: 10_000, request: 60_000, check: 5_000 }
const goals = { slowdown: 2, grownBytes: 100 * MB }
/** The default of CONNECTIONS_PER_ADDRESS. From 16 addresses the crowd exceeds it, from 64 it does not. */
const perAddress = 256
const scenes = { short: [16], full: [16, 64] } as const satisfies Record<Form, readonly number[]>
/** Sockets of good clients between two requests, and pipes of the server itself. */
const spareSockets = 20
/** Including the server's own descriptors and those of good clients. */
const neededFiles = { short: 500, full: 8000 }

export const scenario: Scenario = {
  id: 'F9',
  title: 'clients that send a byte now and then, stop amid an upload, or never read',
  missing: async (form) => missingForCrowd(form, neededFiles),
  run,
}

async function run(form: Form): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const addresses of scenes[form])
    for (const finding of await withDeferred((defer) => attack(form, addresses, defer)))
      findings.push({ ...finding, what: `${addresses} addresses: ${finding.what}` })
  return findings
}

async function attack(form: Form, addresses: number, defer: Defer): Promise<Finding[]> {
  const { crowds, quietMs, attackMs, largePx } = shape[form]
  const wanted = staying.reduce((sum, kind) => sum + crowds[kind], 0)
  const admitted = Math.min(wanted, addresses * perAddress)
  const server = await openServer(defer, { env: { CONNECTIONS_PER_ADDRESS: String(perAddress) } })
  const gathered = new Map<Kind, Crowd>()
  const image = await store(server.url, await jpeg(640, 480))
  const token = await register(server.url, 'large@example.com')
  // More than the kernel buffers for the server (net.ipv4.tcp_wmem: 4 MB).
  const { id } = await store(server.url, await jpeg(largePx, (largePx * 3) / 4, 1, 98), { token })
  const large = `/api/webp/${id}/100?width=3000`
  const { status } = await call(server.url + large)
  if (status !== 200) throw new Error(`The large variant got ${status}`)
  const quietMemory = watchMemory(server.pid)
  defer(quietMemory.stop)
  const quiet = await measureClients(server.url, image, { perSecond: goodPerSecond, forMs: quietMs })
  // The most, because the resident size falls by a third when V8 shrinks an idle heap.
  const before = { bytes: quietMemory.stop().server, sockets: socketsOf(server.pid) }
  const memory = watchMemory(server.pid)
  defer(memory.stop)

  const port = Number(new URL(server.url).port)
  for (const kind of Object.keys(crowds) as Kind[])
    gathered.set(
      kind,
      openConnections(defer, {
        port,
        kind,
        size: crowds[kind],
        path: large,
        perSecond: openedPerSecond[kind],
        addresses,
      }),
    )
  await untilTrue(() => socketsOf(server.pid) >= before.sockets + 0.95 * admitted, gatherMs, lookEveryMs)
  const attacked = await measureClients(server.url, image, { perSecond: goodPerSecond, forMs: attackMs })
  const atWorst = socketsOf(server.pid)
  for (const crowd of [...gathered.values()]) crowd.stay()
  const isLeftAlone = form === 'full'
  // The short form ends before any timeout: it closes the crowd itself and checks what remains.
  if (!isLeftAlone) await Promise.all([...gathered.values()].map((crowd) => crowd.leave()))
  const areGone = () => socketsOf(server.pid) <= before.sockets + spareSockets
  const goneMs = await untilTrue(areGone, leaveWithinMs, lookEveryMs)
  const { server: mostBytes } = memory.stop()
  // Cleanup after a client that just disconnected may still run.
  const litter = () => readdir(join(server.dataDir, 'tmp'))
  await untilTrue(async () => (await litter()).length === 0, tidiedWithinMs[form], lookEveryMs)
  const longest = (kind: Kind) => (gathered.get(kind)?.figures.longestMs ?? 0) / 1000
  return [
    atLeast(`connections at once, of ${wanted} wanted`, atWorst - before.sockets, admitted * 0.9),
    ...[...gathered].map(([kind, { figures }]) => atLeast(`${kind}: opened`, figures.opened, crowds[kind])),
    none('good requests refused, broken off or wrong', [...quiet.wrong, ...attacked.wrong]),
    info('good requests when quiet', figuresOf(quiet)),
    info('good requests under attack', figuresOf(attacked)),
    ...[
      atMost('slower than when quiet, p99', attacked.p99Ms / quiet.p99Ms, goals.slowdown, ' times'),
      atMost('longest life of a slow head', longest('slowloris'), headSeconds, ' s'),
      atMost('longest life of a slow upload', longest('slow-upload'), requestSeconds, ' s'),
      atMost('last bad connection closed after', goneMs / 1000, requestSeconds, ' s'),
      atMost('memory of the server grew by', (mostBytes - before.bytes) / MB, goals.grownBytes / MB, ' MB'),
      info('most memory of the server', `${Math.round(mostBytes / MB)} MB`),
    ].map(inFull),
    ...(isLeftAlone
      ? []
      : [atMost('bad connections that outlive their clients', socketsOf(server.pid) - before.sockets, spareSockets)]),
    none('temporary files left', await litter()),
  ]
}

/** Within which the server closes a connection. */
const headSeconds = (timeoutMs.head + timeoutMs.check) / 1000
const requestSeconds = (timeoutMs.request + timeoutMs.check) / 1000
/** Twice the longest timeout. */
const leaveWithinMs = 2000 * requestSeconds
const lookEveryMs = 100
/** A time limit, not a goal. */
const tidiedWithinMs: Record<Form, number> = { short: 20_000, full: leaveWithinMs }
