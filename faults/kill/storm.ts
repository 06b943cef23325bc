// Clients that upload until the server is killed under them, or ends before that.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '../../e2e/server.ts'
import { imageIn, upload } from '../client.ts'
import type { Ledger } from '../ledger.ts'
import type { Assortment } from '../fault-images.ts'
import { killInStorm } from '../until-killed.ts'

export interface Storm {
  ledger: Ledger
  pictures: Assortment
  token: string
  clients: number
  killAfterMs: number
  /** How long it may take until the promises of one storm are made. Default 60 s. */
  withinMs?: number
}

/** A picture of 12 MP occupies the one decoder of uploads for a second; as many as people's would leave little else to break. */
const shareOfLarge = 0.01
/** The storm goes on until it has been promised so many, however slow the machine. */
const promisesAtLeast = 10
/** Full is an honest answer to thirty-two at once, and a call that failed would fail again at once: a client comes again. */
const againAfterMs = 50

/**
 * Half of the clients are guests, half are signed in: the largest pictures are more than a guest may send.
 * @returns what was wrong with the server before it was killed: it had ended by itself, or promised too little
 */
export async function stormUntilKilled(server: RunningServer, storm: Storm): Promise<string[]> {
  const { ledger, pictures, token, clients, killAfterMs, withinMs } = storm
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const wrongs: string[] = []
  const isKilled = { now: false }
  const all = Array.from({ length: clients }, async (_, client) => {
    const options = client % 2 === 0 ? { agent } : { agent, token }
    while (!isKilled.now) {
      const picture = anyOf(Math.random() < shareOfLarge ? pictures.large : pictures.small)
      const reply = await upload(server.url, picture, options).catch(() => undefined)
      if (reply?.status === 201) ledger.add(imageIn(reply), picture)
      if (reply === undefined || reply.status === 503) await sleep(againAfterMs)
    }
  })
  const promised = () => ledger.promised.length
  await killInStorm(server, isKilled, { promised, promisesAtLeast, killAfterMs, ...(withinMs && { withinMs }), wrongs })
  await Promise.all(all)
  agent.destroy()
  return wrongs
}

const anyOf = (pictures: readonly Buffer[]) => pictures[Math.floor(Math.random() * pictures.length)] as Buffer
