// F12: decoder processes are killed and stopped during uploads. Each upload gets its response, and the server recovers.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '../e2e/server.ts'
import { described, type CallResponse, register } from './client.ts'
import { Ledger } from './ledger.ts'
import { jpeg } from './fault-images.ts'
import { keepSending } from './load/keep-sending.ts'
import { decodersOf, isAlive } from './processes.ts'
import { type Defer, openServer } from './resources.ts'
import { atLeast, atMost, type Finding, type Form, info, inFull, none, type Scenario } from './scenario.ts'
import { noLeftovers } from './verify.ts'

const clients = 6
const shape = { short: { blows: 10 }, full: { blows: 500 } } as const
/** Long enough for a start and some images: hitting a process before it works proves nothing. */
const betweenMs = { least: 100, most: 400 }
const giveUpMs = 15 * 60_000

export const scenario: Scenario = {
  id: 'F12',
  title: `decoders killed and stopped amid the uploads of ${clients} clients`,
  missing: async () => (process.platform === 'linux' ? undefined : 'it needs /proc'),
  run,
}

interface Seen {
  ledger: Ledger
  statuses: Map<number, number>
  wrongs: string[]
  longestMs: number
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const { blows } = shape[form]
  const server = await openServer(defer)
  const seen: Seen = { ledger: new Ledger(), statuses: new Map(), wrongs: [], longestMs: 0 }
  const token = await register(server.url, 'blows@example.com')
  const images = await Promise.all([900, 1600, 2400].map((sidePx, seed) => jpeg(sidePx, sidePx / 2, seed)))
  for (const image of images) await seen.ledger.learn(server.url, image, { token })
  const stop = keepSending(clients, (client) => {
    const image = images[(client + seen.ledger.acknowledged.length) % images.length] as Buffer
    return send(server, image, { seen, ...(client % 2 === 0 ? { token } : {}) })
  })
  defer(stop)
  const hit = await strike(server, blows)
  await stop()
  const before = seen.ledger.acknowledged.length
  // The lane is complete again: the next job replaces the process that was hit last.
  for (const image of images) await send(server, image, { seen, token })
  const after = seen.ledger.acknowledged.length - before
  const isUp = isAlive(server.pid)
  const violations = await seen.ledger.violations(server.url, { variantsOfEvery: 20 })
  await server.stop()
  return [
    atLeast('decoders killed or stopped', hit, blows),
    info('responses', [...seen.statuses].map(([status, count]) => `${status}: ${count}`).join(', ')),
    none('responses other than 201, 4xx and 503, and broken connections', seen.wrongs),
    inFull(atMost('longest response', seen.longestMs, 5000, ' ms')),
    atLeast('good uploads after the last blow', after, images.length),
    none('servers ended', isUp ? [] : ['it ended']),
    none('acknowledged images lost, half-written or without a variant', violations),
    await noLeftovers(server.dataDir),
  ]
}

async function send(
  server: RunningServer,
  image: Buffer,
  { seen, ...options }: { seen: Seen; token?: string },
): Promise<void> {
  const reply = await seen.ledger.upload(server.url, image, options).catch((error: Error) => error)
  if (reply instanceof Error) seen.wrongs.push(reply.message)
  else note(seen, reply)
}

function note(seen: Seen, reply: CallResponse): void {
  const { status, tookMs } = reply
  seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1)
  seen.longestMs = Math.max(seen.longestMs, tookMs)
  const isHonest = status === 201 || (status >= 400 && status < 500) || status === 503
  if (!isHonest) seen.wrongs.push(described(reply))
}

/** Sends SIGKILL and SIGSTOP alternately to one of the existing decoders. @returns how many were hit */
async function strike(server: RunningServer, blows: number): Promise<number> {
  const deadline = performance.now() + giveUpMs
  let hit = 0
  while (hit < blows && performance.now() < deadline && isAlive(server.pid)) {
    await sleep(betweenMs.least + Math.random() * (betweenMs.most - betweenMs.least))
    const there = decodersOf(server.pid)
    const pid = there[Math.floor(Math.random() * there.length)]
    if (pid === undefined) continue
    try {
      process.kill(pid, hit % 2 === 0 ? 'SIGKILL' : 'SIGSTOP')
      hit++
    } catch {
      // It exited by itself at the same time: not counted.
    }
  }
  return hit
}
