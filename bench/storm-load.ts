// The loads of the storm benchmark: cold renders of new widths, hot requests, and uploads.
import sharp from 'sharp'
import type { Round } from './figures.ts'
import { load, type Request, resultWithStatus } from './load.ts'
import { cycleThrough, type ImageFile } from './bench-images.ts'
import { type Product, uploadRequest } from './product.ts'

export const stormConnections = 32
export const hotConnections = 4
export const uploadConnections = 4
/** Interval of hot requests per connection: moderate traffic whose latency is measured, not a second storm. */
export const hotEveryMs = 5
/** Number of originals served from disk. */
export const mediumCount = 24
/** Pause after a 503, much shorter than its Retry-After, but without a busy loop. */
const retryPauseMs = (status: number) => (status === 503 ? 100 : 0)

/** Sends cold renders; retries soon after a 503. @param paths of {@link uncachedPaths} */
export async function sendStorm({ server }: Product, paths: Iterator<string, never>, forMs: number): Promise<Round> {
  const request = () => ({ path: paths.next().value })
  return resultWithStatus(
    200,
    await load(server.url, { connections: stormConnections, forMs, pauseMs: retryPauseMs, request }),
  )
}

/**
 * Yields each width once for each image, then all again: by then the first are evicted, since an image retains 32 variants.
 * @param from the narrowest width of each range, in pixels; each range spans 200
 */
export function* uncachedPaths(ids: readonly string[], ...from: number[]): Generator<string, never> {
  for (;;)
    for (let offset = 0; offset < 200; offset++)
      for (const px of from) for (const id of ids) yield `/api/thumbnail/${id}/${px + offset}`
}

/**
 * Returns the milliseconds of each response, from when it was due.
 * @throws on a 503: hot images must always be served
 */
export async function sendHot({ server }: Product, paths: readonly string[], forMs: number): Promise<number[]> {
  const request = inRotation(paths.map((path) => ({ path })))
  const options = { connections: hotConnections, forMs, everyMs: hotEveryMs, request }
  const { times = [], refused = 0 } = resultWithStatus(200, await load(server.url, options))
  if (refused > 0) throw new Error(`${refused} of ${times.length + refused} hot requests: 503`)
  return [...times]
}

/** Uploads all these images in rotation. */
export async function sendUploads(
  { server, token }: Product,
  images: readonly ImageFile[],
  forMs: number,
): Promise<Round> {
  const request = inRotation(images.map((image) => uploadRequest(image, token)))
  return resultWithStatus(
    201,
    await load(server.url, { connections: uploadConnections, forMs, pauseMs: retryPauseMs, request }),
  )
}

/**
 * Stores originals of 100 to 300 kB: above 64 kB, the limit of the memory cache.
 * @returns their paths
 */
export async function storeMediumOriginals(product: Product, images: readonly ImageFile[]): Promise<string[]> {
  const paths: string[] = []
  for (const [n, { bytes, fileName }] of cycleThrough(images, mediumCount).entries()) {
    const small = await sharp(bytes)
      .resize(1000 + n)
      .jpeg({ quality: 85 })
      .toBuffer()
    paths.push((await product.store({ bytes: small, fileName })).path)
  }
  return paths
}

const inRotation = (requests: readonly Request[]) => (n: number) => requests[n % requests.length] as Request
