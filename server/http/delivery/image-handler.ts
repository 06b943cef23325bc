// The response of an image: loaded, sent from memory or as a stream, recorded for the hot cache, and counted as a view.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, identifiesCaller } from '../../../contract/endpoints/endpoint.ts'
import { consumeView } from '../../domain/delivery/views-left.ts'
import type { ServedImage } from '../../domain/delivery/served-image.ts'
import { wasEvicted } from '../../domain/delivery/variants.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import type { ResponseBufferBudget } from '../guard/response-buffer-budget.ts'
import { sendImage } from './send-image.ts'
import type { HotResponses } from './hot-responses.ts'
import { isPreviewRobot } from './robots.ts'
import { isView } from './counted-views.ts'

export interface ImageContext {
  deps: Deps
  hot: HotResponses
  budget: ResponseBufferBudget
}

interface ImageRequest {
  request: FastifyRequest
  reply: FastifyReply
}

/** @returns a function that sends what `run` loads. @throws {Failure} robot_excluded, and as `run` and sendImage */
export function createImageHandler({ deps, hot, budget }: ImageContext, endpoint: Endpoint) {
  const isPublic = isPublicImage(endpoint)
  const plainUrl = plainUrlOf(endpoint)
  return async ({ request, reply }: ImageRequest, run: () => Promise<unknown>): Promise<FastifyReply> => {
    const record = isPublic ? hot.startRecording(request) : undefined
    const load = async () => (await run()) as ServedImage
    const send = (image: ServedImage) =>
      sendImage(request, reply, image, {
        config: deps.config,
        nowMs: deps.now(),
        isPublic,
        canBuffer: budget(reply.raw),
        onBuffered(bytes) {
          if (!image.isProvisional && plainUrl.test(request.url)) record?.(reply, image, bytes)
        },
        consumeView: () => consumeView(deps, image.row.id),
      })
    const image = await load()
    const { id, views_left: viewsLeft } = image.row
    // Otherwise a preview in a chat would take a view.
    if (isPublic && viewsLeft !== null && isPreviewRobot(request.headers)) throw new Failure('robot_excluded')
    try {
      await send(image)
    } catch (error) {
      if (!image.isOnDisk || !wasEvicted(error)) throw error
      await send(await load())
    }
    const isCounted = isPublic && request.method === 'GET' && reply.statusCode === 200
    if (isCounted && isView(deps.config, request.headers)) onceSent(reply.raw, () => deps.viewCounts.count(id))
    return reply
  }
}

/** Served without a login: on the host of MEDIA_ORIGIN, and from caches. */
export const isPublicImage = (endpoint: Endpoint): boolean =>
  endpoint.response === 'image' && !identifiesCaller(endpoint)

/** URLs that the hot cache stores. Other spellings, such as with `?t=1` or any name, are unbounded. */
function plainUrlOf({ params, query }: Endpoint): RegExp {
  if (params && 'name' in params.shape) return /^$/
  const parameters = Object.keys(query?.shape ?? {}).map((name) => `(${name}=[\\w.-]+(&|$))?`)
  return new RegExp(`^/[\\w\\-./]+(\\?${parameters.join('')})?(?<![?&])$`)
}

/** Calls `done` when the response is completely handed to the system; never after an interruption. */
function onceSent(response: FastifyReply['raw'], done: () => void): void {
  if (response.writableFinished) done()
  else response.once('finish', done)
}
