// Clients that upload, delete and extend images until the server is killed or ends by itself.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '../../e2e/server.ts'
import { call, described, imageIn, upload } from '../client.ts'
import type { Assortment } from '../fault-images.ts'
import { type Ledger, ownerHeaders } from '../ledger.ts'
import { untilTrue } from '../until.ts'
import { keepSending } from './keep-sending.ts'

export interface KillStorm {
  ledger: Ledger
  images: Assortment
  token: string
  clients: number
  killAfterMs: number
  /** Of the uploaded images, those that are deleted or extended. Default: none. */
  changedShare?: number
}

/** A 12 MP image occupies the upload decoder for a second; a realistic share would leave little else to interrupt. */
const largeShare = 0.01
/** The storm continues until this many requests are acknowledged, however slow the machine. */
const acknowledgedAtLeast = 10
/** 503 is a correct response to thirty-two concurrent clients, and a failed call would fail again at once: clients wait before a retry. */
const againAfterMs = 50

/**
 * Half of the clients are guests, half are logged in.
 * @returns what was wrong before the kill: a response that was neither an acknowledgement nor a correct refusal, a server that
 * ended by itself or acknowledged too little
 */
export async function stormUntilKilled(server: RunningServer, storm: KillStorm): Promise<string[]> {
  const wrongs: string[] = []
  const stop = keepSending(storm.clients, (client) =>
    wrongs.length > 0 ? sleep(againAfterMs) : sendOne(server.url, storm, { isGuest: client % 2 === 0, wrongs }),
  )
  await killWhileSending(server, stop, { ...storm, wrongs })
  return wrongs
}

async function sendOne(
  url: string,
  { ledger, images, token, changedShare = 0 }: KillStorm,
  { isGuest, wrongs }: { isGuest: boolean; wrongs: string[] },
): Promise<void> {
  // The largest ones exceed the guest limit.
  const isLarge = !isGuest && Math.random() < largeShare
  const picture = anyOf(isLarge ? images.large : images.small) ?? images.small[0]
  if (!picture) throw new Error('There is no picture to upload')
  try {
    const reply = await upload(url, picture, isGuest ? {} : { token })
    if (reply.status === 503) return await sleep(againAfterMs)
    if (reply.status !== 201) return void wrongs.push(`an upload got ${described(reply)}`)
    const one = ledger.add(imageIn(reply), picture)
    const headers = ownerHeaders(one, token)
    const image = `${url}/api/images/${one.image.id}`
    // Infinity if none is changed.
    const lot = Math.random() / changedShare
    if (lot < 0.5) await ledger.delete(one, () => call(image, { headers, method: 'DELETE' }))
    else if (lot < 1) await ledger.extend(one, () => call(`${image}/extend-expiration`, { headers, method: 'POST' }))
  } catch (error) {
    // Killed during the request: no response arrived, and nothing is acknowledged.
    if (!isSevered(error)) wrongs.push(String(error))
    await sleep(againAfterMs)
  }
}

const anyOf = <T>(all: readonly T[]): T | undefined => all[Math.floor(Math.random() * all.length)]

const isSevered = (error: unknown) =>
  ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

interface KillAfter extends Pick<KillStorm, 'ledger' | 'killAfterMs'> {
  /** Time limit for the acknowledgements. */
  withinMs?: number
  /** Violations so far; the first one ends the wait. New ones are added. */
  wrongs: string[]
}

/**
 * Kills the server; not before enough is acknowledged, unless something is wrong.
 * @param stop stops the clients: from the kill on they start nothing
 */
export async function killWhileSending(server: RunningServer, stop: () => Promise<void>, end: KillAfter) {
  const { ledger, killAfterMs, withinMs = 60_000, wrongs } = end
  const enough = ledger.made + acknowledgedAtLeast
  const isOver = () => ledger.made >= enough || !isRunning(server.pid) || wrongs.length > 0
  if ((await untilTrue(isOver, withinMs, 5)) === Infinity)
    wrongs.push(`fewer than ${acknowledgedAtLeast} promises within ${withinMs} ms`)
  if (isRunning(server.pid)) await sleep(killAfterMs)
  if (!isRunning(server.pid)) wrongs.push(`it ended by itself: ${server.log().slice(-300)}`)
  await Promise.all([server.kill(), stop()])
}

/** @param pid of a child of this process: those are reaped as they exit, so none stays a zombie */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // it has ended
  }
}
