// Clients that upload, delete and extend until the server is killed.
import { Agent } from 'node:http'
import type { RunningServer } from '../../e2e/server.ts'
import { call, upload } from '../client.ts'
import type { Assortment } from '../fault-images.ts'
import { killInStorm } from '../until-killed.ts'
import { ownerHeaders, type Acknowledgements } from './acknowledgements.ts'

interface Storm {
  promises: Acknowledgements
  images: Assortment
  token: string
  clients: number
  killAfterMs: number
}

/** The storm continues until this many requests are acknowledged, however slow the machine. */
const promisesAtLeast = 5
/** They take as long as twenty small ones. */
const largeShare = 0.03

/** @returns responses that were neither an acknowledgement nor a correct refusal */
export async function stormUntilKilled(server: RunningServer, storm: Storm): Promise<string[]> {
  const { promises, clients, killAfterMs } = storm
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const odd: string[] = []
  const isKilled = { now: false }
  const all = Array.from({ length: clients }, async (_, client) => {
    while (!isKilled.now && odd.length === 0) await one(server.url, storm, { agent, isGuest: client % 2 === 0, odd })
  })
  await killInStorm(server, isKilled, { acknowledged: () => promises.made, promisesAtLeast, killAfterMs, wrongs: odd })
  await Promise.all(all)
  agent.destroy()
  return odd
}

async function one(
  url: string,
  { promises, images, token }: Storm,
  { agent, isGuest, odd }: { agent: Agent; isGuest: boolean; odd: string[] },
): Promise<void> {
  // The largest ones exceed the guest limit.
  const isLarge = !isGuest && Math.random() < largeShare
  const picture = anyOf(isLarge ? images.large : images.small) ?? images.small[0]
  if (!picture) throw new Error('There is no picture to upload')
  try {
    const reply = await upload(url, picture, isGuest ? { agent } : { agent, token })
    // 503 is a correct response to that many clients; a client retries.
    if (reply.status === 503) return await new Promise((resolve) => setTimeout(resolve, 50))
    if (reply.status !== 201) return void odd.push(`an upload got ${reply.status} ${String(reply.body)}`)
    const fate = promises.uploaded(reply, picture)
    const headers = ownerHeaders(fate, token)
    const image = `${url}/api/images/${fate.image.id}`
    const lot = Math.random()
    if (lot < 0.3) await promises.deleted(fate, () => call(image, { agent, headers, method: 'DELETE' }))
    else if (lot < 0.6)
      await promises.extended(fate, () => call(`${image}/extend-expiration`, { agent, headers, method: 'POST' }))
  } catch (error) {
    // Killed during the request: no response arrived, and nothing is acknowledged.
    if (!isSevered(error)) odd.push(String(error))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const isSevered = (error: unknown) =>
  ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

const anyOf = <T>(all: readonly T[]): T | undefined => all[Math.floor(Math.random() * all.length)]
