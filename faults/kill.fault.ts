// F1: the process is killed amid uploads, again and again. What was answered with 201 must be there, whole, and nothing half-done.
import { Agent } from 'node:http'
import { rm } from 'node:fs/promises'
import { type RunningServer, startServer } from '../e2e/server.ts'
import { imageIn, register, upload } from './client.ts'
import { Ledger, type Promised } from './ledger.ts'
import { type Assortment, assortment } from './pictures.ts'
import { atLeast, atMost, type Finding, type Form, none, type Protocol, told } from './protocol.ts'
import { flawsOf, litterIn } from './verify.ts'

const clients = 32
const shape = {
  short: { cycles: 2, acknowledged: 20, longestMs: 200, largestPx: 1600 },
  full: { cycles: 200, acknowledged: 20_000, longestMs: 5000, largestPx: 4000 },
} as const
const shortestMs = 200
/** A picture of 12 MP occupies the one decoder of uploads for a second; as many as people's would leave little else to break. */
const shareOfLarge = 0.01
/** The storm goes on until it has been promised so many, however slow the machine. */
const promisesInACycle = 10
/** The goal: from the start of the process to its first good answer. */
const readyWithinMs = 3000

export const protocol: Protocol = {
  id: 'F1',
  title: `kill -9 amid the uploads of ${clients} clients`,
  run,
}

async function run(form: Form): Promise<Finding[]> {
  const { cycles, acknowledged, longestMs, largestPx } = shape[form]
  const pictures = await assortment(largestPx)
  const ledger = new Ledger()
  const flaws: string[] = []
  const startsMs: number[] = []
  let server = await startServer()
  const { dataDir } = server
  const token = await register(server.url, 'storm@example.com')
  try {
    // On a slow machine it takes more cycles until enough was promised; not for ever.
    for (let cycle = 1; cycle <= cycles || (ledger.promised.length < acknowledged && cycle <= 2 * cycles); cycle++) {
      const before = ledger.promised.length
      const killAfterMs = shortestMs + Math.random() * (longestMs - shortestMs)
      await stormUntilKilled(server, { ledger, pictures, token, killAfterMs })
      const start = performance.now()
      server = await startServer({ dataDir })
      startsMs.push(performance.now() - start)
      flaws.push(...(await check(server, ledger.promised.slice(before))))
      if (form === 'full' && cycle % 10 === 0)
        console.log(`  cycle ${cycle}: ${ledger.promised.length} acknowledged, ${flaws.length} flaws`)
    }
    // What stood after its own crash must stand after all that followed.
    flaws.push(...(await flawsOf(ledger.promised, server.url, { variants: false })))
    await server.stop()
    const litter = await litterIn(dataDir)
    return [
      atLeast('uploads acknowledged', ledger.promised.length, acknowledged),
      atLeast('cycles', startsMs.length, cycles),
      none('acknowledged images lost, half-written or without a variant', flaws),
      none('files without a row, rows without a file, temporary files, database errors', litter),
      // Other tests run beside the short form: a time is no goal there.
      ...(form === 'full'
        ? [atMost('longest start, to its first good answer', Math.max(...startsMs), readyWithinMs, ' ms')]
        : []),
      told('median start', `${Math.round(median(startsMs))} ms`),
    ]
  } finally {
    await server.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
}

interface Storm {
  ledger: Ledger
  pictures: Assortment
  token: string
  killAfterMs: number
}

/** Half of the clients are guests, half are signed in: the largest pictures are more than a guest may send. */
async function stormUntilKilled(server: RunningServer, { ledger, pictures, token, killAfterMs }: Storm): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  let isKilled = false
  const storm = Array.from({ length: clients }, async (_, client) => {
    const options = client % 2 === 0 ? { agent } : { agent, token }
    while (!isKilled) {
      const picture = pick(Math.random() < shareOfLarge ? pictures.large : pictures.small)
      const reply = await upload(server.url, picture, options).catch(() => undefined)
      if (reply?.status === 201) ledger.add(imageIn(reply), picture)
      // Full is an honest answer to thirty-two at once; a client comes again.
      if (reply?.status === 503) await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  const had = ledger.promised.length
  while (ledger.promised.length < had + promisesInACycle) await new Promise((resolve) => setTimeout(resolve, 10))
  await new Promise((resolve) => setTimeout(resolve, killAfterMs))
  const killed = server.kill()
  isKilled = true
  await killed
  await Promise.all(storm)
  agent.destroy()
}

/** All of the last cycle, one in ten with every kind of variant. */
async function check(server: RunningServer, promised: readonly Promised[]): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  try {
    return await flawsOf(promised, server.url, { variants: (at) => at % 10 === 0, agent })
  } finally {
    agent.destroy()
  }
}

const pick = (pictures: readonly Buffer[]) => pictures[Math.floor(Math.random() * pictures.length)] as Buffer
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
