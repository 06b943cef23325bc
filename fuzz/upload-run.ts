// Sends mutated uploads to a running server and judges every answer.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UploadedImage } from '../contract/images.ts'
import { call, formHeaders, type Reply } from '../faults/client.ts'
import { draw, smallest } from './cases.ts'
import type { GoodPicture } from './good-set.ts'
import { malformed } from '../faults/failure-response.ts'
import { isBusy } from './response-checks.ts'
import type { Report } from './report.ts'
import { bodyOf, uploadCase } from './upload-case.ts'
import { inParallel } from './workers.ts'

export interface Uploader {
  url: string
  /** Of a registered user. */
  token: string
  agent: Agent
  /** An answer that takes longer is a flaw. */
  slowestMs: number
}

export interface Sent {
  as: 'guest' | 'user'
  body: Buffer
}

const honest = [201, 400, 413, 415, 422, 429]
const triesWhenBusy = 50
const pauseMs = 100
const clients = 8
/** One in so many accepted images is asked for its thumbnail. */
const looksEvery = 10

/** @param report takes what was answered, and what was wrong */
export async function runUploads(
  target: Omit<Uploader, 'agent'>,
  set: readonly GoodPicture[],
  { seed, count, report }: { seed: number; count: number; report: Report },
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const uploader = { ...target, agent }
  let accepted = 0
  try {
    await inParallel(clients, draw(uploadCase, seed, count), async (drawn) => {
      const sent = { as: drawn.value.as, body: bodyOf(drawn.value, set) }
      const isLookedAt = () => accepted++ % looksEvery === 0
      const flaw = await flawOfUpload(uploader, sent, { isLookedAt, told: (reply) => report.answered(reply) })
      if (flaw === undefined || !report.isNew(flaw)) return
      const least = await smallest(
        uploadCase,
        drawn,
        async (one) => (await flawOfUpload(uploader, { as: one.as, body: bodyOf(one, set) })) !== undefined,
      )
      await report.keep(flaw, { kind: 'upload', as: least.as }, bodyOf(least, set))
    })
  } finally {
    agent.destroy()
  }
}

interface Options {
  /** Whether an accepted image is looked at before it is deleted. */
  isLookedAt?: () => boolean
  told?: (reply: Reply) => void
}

/** Uploads, looks at what came of it, and deletes it again. @returns what was wrong, or undefined */
export async function flawOfUpload(
  uploader: Uploader,
  sent: Sent,
  { isLookedAt = () => true, told = () => {} }: Options = {},
): Promise<string | undefined> {
  const { url, token, agent } = uploader
  const credentials: Record<string, string> = sent.as === 'user' ? { authorization: `Bearer ${token}` } : {}
  try {
    const headers = { ...formHeaders, ...credentials }
    const reply = await asked(`${url}/api/upload`, { method: 'POST', headers, body: sent.body, agent })
    told(reply)
    if (reply.tookMs > uploader.slowestMs) return `an answer took ${(reply.tookMs / 1000).toFixed(1)} s`
    if (!honest.includes(reply.status)) return `${reply.status}: ${reply.body.toString('utf8').slice(0, 200)}`
    if (reply.status !== 201) return malformed(reply) ?? flawOfDecoder(reply)
    const image = JSON.parse(reply.body.toString('utf8')) as UploadedImage
    return await flawOfImage(uploader, image, credentials, isLookedAt())
  } catch (error) {
    return `no answer: ${String(error)}`
  }
}

/** A picture that ends its decoder is refused in time, and is still one to look into. */
const flawOfDecoder = ({ body }: Reply) => (body.includes('breaks its decoder') ? 'a decoder died of it' : undefined)

async function flawOfImage(
  uploader: Uploader,
  image: UploadedImage,
  credentials: Record<string, string>,
  isLookedAt: boolean,
): Promise<string | undefined> {
  const { url, agent } = uploader
  if (isLookedAt) {
    const thumbnail = await asked(url + new URL(image.thumbnailUrl).pathname, { agent })
    if (thumbnail.status !== 200) return `accepted, but its thumbnail answers ${thumbnail.status}`
  }
  const headers = { ...credentials, ...(image.delete_token && { 'x-guest-token': image.delete_token }) }
  const gone = await asked(`${url}/api/images/${image.id}`, { method: 'DELETE', headers, agent })
  return gone.status === 200 ? undefined : `accepted, but its deletion answers ${gone.status}`
}

/** Comes again when the server is busy; the last answer is the answer. */
async function asked(url: string, options: Parameters<typeof call>[1]): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await call(url, options)
    if (!isBusy(reply) || tries === triesWhenBusy) return reply
    await sleep(pauseMs)
  }
}
