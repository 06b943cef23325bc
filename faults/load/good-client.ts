// Well-behaved clients beside the misbehaving ones: requests at a fixed rate, independent of response times, and their results.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UploadedImage } from '../../contract/endpoints/images.ts'
import { call, type CallResponse, originalAt } from '../client.ts'
import { percentile } from '../percentile.ts'

export interface ClientFigures {
  count: number
  medianMs: number
  p99Ms: number
  /** Refused, broken off, or with the size of another image. */
  wrong: string[]
}

const tickMs = 10

/**
 * Requests the original and the thumbnail of an image alternately.
 * @param perSecond the response time of a late request counts from when it was due
 * @returns a function that stops the clients, awaits the last responses and returns their figures
 */
export function startGoodClients(url: string, image: UploadedImage, perSecond: number): () => Promise<ClientFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const tookMs: number[] = []
  const wrong: string[] = []
  const underWay = new Set<Promise<void>>()
  const start = performance.now()
  let sent = 0
  const view = async (dueMs: number) => {
    const isOriginal = sent % 2 === 0
    try {
      const reply = await call(originalAt(url, isOriginal ? image : { url: image.thumbnailUrl }), { agent })
      const violation = violationOf(reply, isOriginal ? image.size : undefined)
      if (violation !== undefined) wrong.push(violation)
    } catch (error) {
      wrong.push(String(error))
    }
    tookMs.push(performance.now() - start - dueMs)
  }
  const timer = setInterval(() => {
    for (; (sent * 1000) / perSecond <= performance.now() - start; sent++) {
      const one: Promise<void> = view((sent * 1000) / perSecond).finally(() => underWay.delete(one))
      underWay.add(one)
    }
  }, tickMs)
  return async () => {
    clearInterval(timer)
    await Promise.all(underWay)
    agent.destroy()
    return { count: tookMs.length, medianMs: percentile(tookMs, 0.5), p99Ms: percentile(tookMs, 0.99), wrong }
  }
}

/** The figures of well-behaved clients over the given time. */
export async function measureClients(
  url: string,
  image: UploadedImage,
  { perSecond, forMs }: { perSecond: number; forMs: number },
): Promise<ClientFigures> {
  const stop = startGoodClients(url, image, perSecond)
  await sleep(forMs)
  return stop()
}

export const figuresOf = ({ count, medianMs, p99Ms }: ClientFigures) =>
  `${count}, median ${medianMs.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`

function violationOf({ status, body }: CallResponse, bytes: number | undefined): string | undefined {
  if (status !== 200) return `status ${status}`
  return bytes !== undefined && body.length !== bytes ? 'not the whole picture' : undefined
}
