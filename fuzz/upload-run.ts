// Sends mutated uploads to a running server and checks every response.
import { setTimeout as sleep } from 'node:timers/promises'
import type { UploadedImage } from '../contract/endpoints/images.ts'
import { bearer, type Call, call, formHeaders, imageIn, type CallResponse } from '../faults/client.ts'
import { sampleCases, shrinkCase } from './cases.ts'
import type { BaseImage } from './base-images.ts'
import { malformed } from '../faults/failure-response.ts'
import { isBusy } from './response-checks.ts'
import type { Report } from './report.ts'
import { bodyOf, uploadCase } from './upload-case.ts'
import { inParallel } from '../faults/load/keep-sending.ts'

export interface Uploader {
  url: string
  /** Token of a registered user. */
  token: string
  /** A response that takes longer is a violation. */
  slowestMs: number
}

export interface Sent {
  as: 'guest' | 'user'
  body: Buffer
}

/** 403 for the URL of an image in place of its bytes, because UPLOAD_BY_URL is off. */
const expectedStatuses = [201, 400, 403, 413, 415, 422, 429]
const triesWhenBusy = 50
const pauseMs = 100
const clients = 8
/** Of every 10 accepted images, one has its thumbnail loaded. */
const thumbnailEvery = 10

/** @param report receives the responses and violations */
export async function runUploads(
  uploader: Uploader,
  set: readonly BaseImage[],
  { seed, count, report }: { seed: number; count: number; report: Report },
): Promise<void> {
  let accepted = 0
  await inParallel(clients, sampleCases(uploadCase, seed, count), async (sampled) => {
    const sent = { as: sampled.value.as, body: bodyOf(sampled.value, set) }
    const loadsThumbnail = () => accepted++ % thumbnailEvery === 0
    const violation = await violationOfUpload(uploader, sent, {
      loadsThumbnail,
      onResponse: (reply) => report.addResponse(reply),
    })
    if (violation === undefined || !report.addViolation(violation)) return
    const smallest = await shrinkCase(
      uploadCase,
      sampled,
      async (one) => (await violationOfUpload(uploader, { as: one.as, body: bodyOf(one, set) })) !== undefined,
    )
    await report.saveRegression(violation, { kind: 'upload', as: smallest.as }, bodyOf(smallest, set))
  })
}

interface Options {
  /** Whether the thumbnail of an accepted image is loaded before the image is deleted. */
  loadsThumbnail?: () => boolean
  onResponse?: (reply: CallResponse) => void
}

/** Uploads an image, checks the result, and deletes it. @returns the violation, or undefined */
export async function violationOfUpload(
  uploader: Uploader,
  sent: Sent,
  { loadsThumbnail = () => true, onResponse = () => {} }: Options = {},
): Promise<string | undefined> {
  const { url, token } = uploader
  const credentials: Record<string, string> = sent.as === 'user' ? bearer(token) : {}
  try {
    const headers = { ...formHeaders, ...credentials }
    const reply = await callUntilNotBusy(`${url}/api/upload`, { method: 'POST', headers, body: sent.body })
    onResponse(reply)
    if (reply.tookMs > uploader.slowestMs) return `a response took ${(reply.tookMs / 1000).toFixed(1)} s`
    if (!expectedStatuses.includes(reply.status)) return `${reply.status}: ${reply.body.toString('utf8').slice(0, 200)}`
    if (reply.status !== 201) return malformed(reply) ?? flawOfDecoder(reply)
    return await flawOfImage(uploader, imageIn(reply), credentials, loadsThumbnail())
  } catch (error) {
    return `no response: ${String(error)}`
  }
}

/** An image that crashes its decoder is rejected in time, but is still a violation. */
const flawOfDecoder = ({ body }: CallResponse) =>
  body.includes('crashes the decoder') ? 'it crashed a decoder' : undefined

async function flawOfImage(
  { url }: Uploader,
  image: UploadedImage,
  credentials: Record<string, string>,
  loadsThumbnail: boolean,
): Promise<string | undefined> {
  if (loadsThumbnail) {
    const thumbnail = await callUntilNotBusy(url + new URL(image.thumbnailUrl).pathname)
    if (thumbnail.status !== 200) return `accepted, but its thumbnail: ${thumbnail.status}`
  }
  const headers = { ...credentials, ...(image.delete_token && { 'x-guest-token': image.delete_token }) }
  const deletion = await callUntilNotBusy(`${url}/api/images/${image.id}`, { method: 'DELETE', headers })
  return deletion.status === 200 ? undefined : `accepted, but its deletion: ${deletion.status}`
}

/** Retries while the server is busy; returns the last response. */
async function callUntilNotBusy(url: string, options?: Call): Promise<CallResponse> {
  for (let tries = 1; ; tries++) {
    const reply = await call(url, options)
    if (!isBusy(reply) || tries === triesWhenBusy) return reply
    await sleep(pauseMs)
  }
}
