// What a storm consists of: cold renders of ever new widths, hot requests of visitors, and uploads that go on meanwhile.
import sharp from 'sharp'
import { formHeaders, formOf } from '../faults/client.ts'
import type { Round } from './figures.ts'
import { getRequest, load, only, postRequest } from './load.ts'
import { inTurn, type Picture } from './bench-images.ts'
import type { Product } from './product.ts'

export const stormConnections = 32
export const hotConnections = 4
export const uploadConnections = 4
/** From one hot request of a connection to the next: visitors, not a second storm. What is asked is how long one waits. */
export const hotEveryMs = 5
/** Of the originals that are asked for from the disk. */
export const middlingCount = 24
/** Whoever is told 503 comes again much sooner than its Retry-After asks, but not ten thousand times a second. */
const afterRefusal = (status: number) => (status === 503 ? 100 : 0)

/** Cold renders; whoever is refused comes again soon. @param paths of {@link everyWidth} */
export async function storm({ server }: Product, paths: Iterator<string, never>, forMs: number): Promise<Round> {
  const request = () => getRequest(server.url, paths.next().value)
  return only(200, await load(server.url, { connections: stormConnections, forMs, pauseMs: afterRefusal, request }))
}

/**
 * Each width once for each image, then over again: by then the first are gone, since an image keeps 32 of its variants.
 * @param from the narrowest of each kind of width, in pixels; they go up by 200
 */
export function* everyWidth(ids: readonly string[], ...from: number[]): Generator<string, never> {
  for (;;)
    for (let wider = 0; wider < 200; wider++)
      for (const px of from) for (const id of ids) yield `/api/thumbnail/${id}/${px + wider}`
}

/** Milliseconds of each answer, from the moment when it was due. @throws when one is refused: hot pictures are for everyone */
export async function hot({ server }: Product, paths: readonly string[], forMs: number): Promise<number[]> {
  const requests = paths.map((path) => getRequest(server.url, path))
  const request = (n: number) => requests[n % requests.length]
  const asked = { connections: hotConnections, forMs, everyMs: hotEveryMs, request }
  const { times = [], refused = 0 } = only(200, await load(server.url, asked))
  if (refused > 0) throw new Error(`${refused} of ${times.length + refused} hot requests were answered with 503`)
  return [...times]
}

/** Of all these in turn. */
export async function uploads({ server, token }: Product, pictures: readonly Picture[], forMs: number): Promise<Round> {
  const headers = [`content-type: ${formHeaders['content-type']}`, `authorization: Bearer ${token}`]
  const forms = pictures.map(({ bytes, fileName }) =>
    postRequest(server.url, '/api/upload', formOf(bytes, fileName), headers),
  )
  const request = (n: number) => forms[n % forms.length]
  return only(201, await load(server.url, { connections: uploadConnections, forMs, pauseMs: afterRefusal, request }))
}

/** Originals of 100 to 300 kB: more than the 64 kB up to which the product keeps a picture in memory. @returns their paths */
export async function middling(product: Product, pictures: readonly Picture[]): Promise<string[]> {
  const paths: string[] = []
  for (const [n, { bytes, fileName }] of inTurn(pictures, middlingCount).entries()) {
    const small = await sharp(bytes)
      .resize(1000 + n)
      .jpeg({ quality: 85 })
      .toBuffer()
    paths.push((await product.store({ bytes: small, fileName })).path)
  }
  return paths
}
