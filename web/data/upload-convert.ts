// The workers that make WebP: one, or two where the machine has cores to spare. Whoever comes meanwhile waits.
import type { WebpReply, WebpRequest } from './webp-worker.ts'
// oxlint-disable-next-line import/default -- the build's: the address of the worker's script
import workerUrl from './webp-worker.ts?worker&url'

const webpQuality = 85
/** Larger images are scaled down to this side. */
export const webpMaxSidePx = 3000
/** A conversion that takes longer is taken to hang; the original is sent. */
const webpTimeoutMs = 60_000

export const converterCount = typeof navigator !== 'undefined' && navigator.hardwareConcurrency >= 8 ? 2 : 1

const idle: Worker[] = []
const queued: (() => void)[] = []
let free = converterCount
let canCanvas = true

/** Fails when the picture cannot be read or the time is up, and when `signal` says so. */
export async function convertToWebp(file: Blob, signal: AbortSignal): Promise<Blob> {
  await takeTurn()
  try {
    signal.throwIfAborted()
    const worker = idle.pop() ?? new Worker(trusted(workerUrl), { type: 'module' })
    try {
      const blob = await ask(worker, file, signal)
      idle.push(worker)
      return blob
    } catch (error) {
      // It may still be at work, and nothing but its end stops it.
      worker.terminate()
      throw error
    }
  } finally {
    giveTurn()
  }
}

function ask(worker: Worker, file: Blob, signal: AbortSignal): Promise<Blob> {
  const request: WebpRequest = { file, maxSidePx: webpMaxSidePx, quality: webpQuality, canCanvas }
  return new Promise<Blob>((resolve, reject) => {
    const stop = AbortSignal.any([signal, AbortSignal.timeout(webpTimeoutMs)])
    stop.addEventListener('abort', () => reject(stop.reason as Error))
    worker.onerror = ({ message }) => reject(new Error(message || 'The worker could not be started'))
    worker.onmessage = ({ data }: MessageEvent<WebpReply>) => {
      if ('error' in data) return reject(new Error(data.error))
      canCanvas = data.canCanvas
      resolve(data.blob)
    }
    worker.postMessage(request)
  })
}

async function takeTurn(): Promise<void> {
  if (free > 0) free--
  else await new Promise<void>((resolve) => queued.push(resolve))
}

function giveTurn(): void {
  const next = queued.shift()
  if (next === undefined) free++
  else next()
}

interface TrustedTypes {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string }
}

/** The page's CSP takes no bare address for a script. This one is the build's own. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('webp-worker', { createScriptURL: (given) => given })
  return policy === undefined ? url : policy.createScriptURL(url)
}
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined
