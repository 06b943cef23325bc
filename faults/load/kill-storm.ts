// Clients that upload until the server is killed or ends by itself.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '../../e2e/server.ts'
import { imageIn, upload } from '../client.ts'
import type { Assortment } from '../fault-images.ts'
import type { Ledger } from '../ledger.ts'
import { anyOf, keepSending, killWhileSending } from './keep-sending.ts'

export interface KillStorm {
  ledger: Ledger
  images: Assortment
  token: string
  clients: number
  killAfterMs: number
  /** Time limit for the acknowledgements of one storm. Default 60 s. */
  withinMs?: number
}

/** A 12 MP image occupies the upload decoder for a second; a realistic share would leave little else to interrupt. */
const shareOfLarge = 0.01
/** The storm continues until this many uploads are acknowledged, however slow the machine. */
const acknowledgedAtLeast = 10
/** 503 is a correct response to thirty-two concurrent clients, and a failed call would fail again at once: clients wait before a retry. */
const againAfterMs = 50

/**
 * Half of the clients are guests, half are logged in: the largest images exceed the guest limit.
 * @returns what was wrong before the kill: the server ended by itself, or acknowledged too little
 */
export async function stormUntilKilled(server: RunningServer, storm: KillStorm): Promise<string[]> {
  const { ledger, images, token, clients, ...end } = storm
  const wrongs: string[] = []
  const stop = keepSending(clients, async (agent, client) => {
    const image = anyOf(Math.random() < shareOfLarge ? images.large : images.small) as Buffer
    const reply = await upload(server.url, image, client % 2 === 0 ? { agent } : { agent, token }).catch(
      () => undefined,
    )
    if (reply?.status === 201) ledger.add(imageIn(reply), image)
    if (reply === undefined || reply.status === 503) await sleep(againAfterMs)
  })
  const acknowledged = () => ledger.acknowledged.length
  await killWhileSending(server, stop, { ...end, acknowledged, acknowledgedAtLeast, wrongs })
  return wrongs
}
