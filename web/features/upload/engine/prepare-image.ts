// Prepares a file of a user for sending: converts it to WebP where that pays, in one worker, or two on
// machines with eight cores. Others queue.
import { keptPhotographs } from '../upload-prefs.ts'
import { planOf, webpName } from './conversion-plan.ts'
import type { Prepared } from './upload-state.ts'
import { UnreadableFile } from './wait-or-give-up.ts'
import type { WebpResponse, WebpRequest } from './webp-worker.ts'
// oxlint-disable-next-line import/default -- Vite provides the URL of the worker script
import workerUrl from './webp-worker.ts?worker&url'

const webpQuality = 85
/** Larger images are scaled down to this side. */
const webpMaxSidePx = 3000
/** A conversion that takes longer counts as failed; the original is sent. */
const webpTimeoutMs = 60_000

export const converterCount = typeof navigator !== 'undefined' && navigator.hardwareConcurrency >= 8 ? 2 : 1

/**
 * Converts JPEG, still PNG, and WebP above `webpMaxSidePx`, unless the user wants photographs to be kept as they are. The
 * original is returned when the conversion fails, or makes it larger.
 * @param onConverting called before a conversion starts
 * @throws {UnreadableFile}
 */
export async function prepareImage(file: File, signal: AbortSignal, onConverting?: () => void): Promise<Prepared> {
  const plan = planOf(await bytesOf(file), webpMaxSidePx)
  signal.throwIfAborted()
  if (plan === 'keep') return { file, outcome: 'unchanged' }
  if (keptPhotographs.get()) return { file, outcome: 'kept' }
  onConverting?.()
  try {
    const blob = await convertToWebp(file, signal)
    if (blob.size >= file.size) return { file, outcome: 'larger' }
    const { lastModified } = file
    const converted = new File([blob], webpName(file.name), { type: 'image/webp', lastModified })
    return { file: converted, outcome: 'converted' }
  } catch (error) {
    if (signal.aborted) throw error
    console.info('Not converted to WebP; the original is sent', error)
    return { file, outcome: 'failed' }
  }
}

async function bytesOf(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch (cause) {
    throw new UnreadableFile('The file cannot be read', { cause })
  }
}

const idle: Worker[] = []
const queued: (() => void)[] = []
let freeSlots = converterCount
let canCanvas = true

/** @throws when the image cannot be decoded, after `webpTimeoutMs`, and when `signal` aborts */
async function convertToWebp(file: Blob, signal: AbortSignal): Promise<Blob> {
  await acquireSlot()
  try {
    signal.throwIfAborted()
    const worker = idle.pop() ?? new Worker(trusted(workerUrl), { type: 'module' })
    try {
      const blob = await requestConversion(worker, file, signal)
      idle.push(worker)
      return blob
    } catch (error) {
      // The worker may still be converting; only terminating it stops that.
      worker.terminate()
      throw error
    }
  } finally {
    releaseSlot()
  }
}

function requestConversion(worker: Worker, file: Blob, signal: AbortSignal): Promise<Blob> {
  const request: WebpRequest = { file, maxSidePx: webpMaxSidePx, quality: webpQuality, canCanvas }
  return new Promise<Blob>((resolve, reject) => {
    const stop = AbortSignal.any([signal, AbortSignal.timeout(webpTimeoutMs)])
    stop.addEventListener('abort', () => reject(stop.reason as Error))
    worker.onerror = ({ message }) => reject(new Error(message || 'The worker could not be started'))
    worker.onmessage = ({ data }: MessageEvent<WebpResponse>) => {
      if ('error' in data) return reject(new Error(data.error))
      canCanvas = data.canCanvas
      resolve(data.blob)
    }
    worker.postMessage(request)
  })
}

async function acquireSlot(): Promise<void> {
  if (freeSlots > 0) freeSlots--
  else await new Promise<void>((resolve) => queued.push(resolve))
}

function releaseSlot(): void {
  const next = queued.shift()
  if (next === undefined) freeSlots++
  else next()
}

interface TrustedTypes {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string }
}

/** The page's CSP requires Trusted Types for script URLs. This URL comes from the build. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('webp-worker', { createScriptURL: (given) => given })
  return policy === undefined ? url : policy.createScriptURL(url)
}
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined
