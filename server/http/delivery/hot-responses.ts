// Serves hot images before the framework: the same responses and log lines, a fraction of the work.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { acceptKey } from '../../domain/delivery/accepted-formats.ts'
import { isAvailable } from '../../domain/images/availability.ts'
import { findViewKey, viewKeyEnd } from '../../domain/images/sharing/view-keys.ts'
import type { ServedImage } from '../../domain/delivery/served-image.ts'
import { matchesEtag } from './ranges-and-etags.ts'
import { cacheControl } from './cache-headers.ts'
import { brokenRule } from '../guard/broken-requests.ts'
import type { OnClose } from '../guard/pipelining.ts'
import type { ResponseBufferBudget } from '../guard/response-buffer-budget.ts'
import { isHandedToSystem, type MonitorResponse } from '../guard/slow-clients.ts'
import { isForMedia } from '../request/media-origin.ts'
import { type LogRequest, loggedPath } from '../request/request-log.ts'
import { isView } from './counted-views.ts'
import { type ClientInfo, createClientInfoCache } from './client-info-cache.ts'
import { createHotCache, type HotEntry } from './hot-cache.ts'

/** Only clients that look for limits request longer URLs of images. */
const maxUrlLength = 300
/** How often a hot image counts as used in the variant cache, which evicts unused files. */
const touchEveryMs = 10_000

export interface HotResponses {
  /** Responds if the image is in the cache, else calls `next` with the request untouched. */
  handle(request: IncomingMessage, response: ServerResponse, onClose: OnClose, next: () => void): void
  /** Called before the row of an image is read. @returns a function that caches the response */
  startRecording(request: FastifyRequest): (reply: FastifyReply, image: ServedImage, bytes: Buffer) => void
  /** Passes every further request to the framework, which closes the connections. */
  close(): void
}

interface HotOptions {
  logRequest: LogRequest
  monitorResponse: MonitorResponse
  budget: ResponseBufferBudget
}

interface Hit {
  request: IncomingMessage
  response: ServerResponse
  onClose: OnClose
  client: ClientInfo
  key: string
  entry: HotEntry
  isNotModified: boolean
  /** Whether the response has a body. */
  needsBytes: boolean
  /** From memory, or once they are read. */
  bytes: Buffer | undefined
  startedAt: number
}

export function createHotResponses(
  deps: Deps,
  log: FastifyBaseLogger,
  { logRequest, monitorResponse, budget }: HotOptions,
): HotResponses {
  const cache = createHotCache(deps.imageChanges)
  const clients = createClientInfoCache(deps.config)
  let isClosing = false
  let sent = 0
  deps.metrics.gauge('hot_pictures', 'Images in the hot cache, and responses sent from it', () => {
    const { images: pictures, ...rest } = cache.stats()
    return { pictures, ...rest, answered: sent }
  })

  const handle: HotResponses['handle'] = (request, response, onClose, next) => {
    const hit = findHit(request, response, onClose)
    if (!hit) return next()
    // Where changes are reported, what is in memory is as the row says.
    if (deps.imageChanges && (hit.bytes || !hit.needsBytes)) return send(hit)
    void load(hit).then(
      (isLoaded) => (isLoaded ? send(hit) : next()),
      () => {
        // The framework meets the same error and reports it.
        cache.delete(hit.key)
        next()
      },
    )
  }

  /** @returns undefined: the framework responds */
  function findHit(request: IncomingMessage, response: ServerResponse, onClose: OnClose): Hit | undefined {
    const startedAt = performance.now()
    if (isClosing || !isPlain(deps.config, request)) return undefined
    const client = clients.get(request)
    if (!client || !detectChanges(deps)) return undefined
    const key = keyOf(client, request)
    const entry = cache.get(key)
    if (!entry || entry.endsAt <= deps.now()) return undefined
    const isNotModified = matchesEtag(request.headers['if-none-match'], entry.etag)
    const needsBytes = request.method === 'GET' && !isNotModified
    const bytes = needsBytes ? cache.bytesOf(key) : undefined
    if (needsBytes && ((!bytes && !entry.read) || !budget(response)(entry.size))) return undefined
    return { request, response, onClose, client, key, entry, isNotModified, needsBytes, bytes, startedAt }
  }

  /** @returns false: the framework responds, with another row or as a stream */
  async function load(hit: Hit): Promise<boolean> {
    const { key, entry, request, response } = hit
    if (!deps.imageChanges && !(await isSameRow(deps, entry))) {
      cache.delete(key)
      return false
    }
    if (hit.needsBytes && !hit.bytes && entry.read) {
      hit.bytes = await entry.read()
      cache.addBytes(key, entry, hit.bytes)
    }
    const isConnected = !response.destroyed && !request.socket.destroyed
    return isConnected && !isClosing && cache.holds(key, entry) && entry.endsAt > deps.now()
  }

  function send(hit: Hit): void {
    const { request, response, client, entry, isNotModified, bytes, startedAt } = hit
    const { row, route, path } = entry
    sent++
    const now = deps.now()
    touch(entry, now)
    const reqId = randomUUID()
    const status = isNotModified ? 304 : 200
    response.writeHead(status, {
      ...(isNotModified ? entry.notModifiedHeaders : entry.headers),
      'x-request-id': reqId,
      'cache-control': cacheControl(deps.config, row, now),
    })
    hit.onClose(() => {
      const ms = performance.now() - startedAt
      const { method = '' } = request
      logRequest({ reqId, method, path, status, ms, address: client.ip, isImage: true }, { image: row.id })
      if (!response.writableFinished) return
      deps.metrics.request(route, method, status, ms / 1000)
      if (method === 'GET' && !isNotModified && isView(deps.config, request.headers)) deps.viewCounts.count(row.id)
    })
    response.end(bytes)
    if (!isHandedToSystem(response)) monitorResponse(request, response, () => log.child({ reqId }), client.ip)
  }

  return {
    handle,

    startRecording(request) {
      clients.add(request)
      const generation = cache.generation()
      const { url } = request.raw
      return (reply, { row, etag, size, isOnDisk, read, touch }, bytes) => {
        if (!isPlain(deps.config, request.raw) || url === undefined || url.length > maxUrlLength) return
        const { id, file_name, original_name, expires_at, visibility, view_key_version, named } = row
        // Whether the link or the membership is still there is asked each time.
        if (named !== null) return
        const headers = reply.getHeaders() as OutgoingHttpHeaders
        const entry: HotEntry = {
          row: { id, file_name, original_name, expires_at, visibility, view_key_version, named },
          endsAt: visibility === 'private' ? Math.min(expires_at, viewKeyEnd(findViewKey(url) ?? '')) : expires_at,
          etag: `"${etag}"`,
          size,
          route: request.routeOptions.url ?? 'none',
          path: loggedPath(request.url),
          headers,
          notModifiedHeaders: withoutBody(headers),
          // The function itself: a closure created here would retain the request with the entry.
          read: isOnDisk ? read : undefined,
          touch,
          touchedAt: 0,
        }
        cache.add(keyOf(request, request.raw), entry, bytes, generation)
      }
    },

    close() {
      isClosing = true
    },
  }
}

const bodyHeaders = ['content-type', 'content-length', 'accept-ranges']

/** The headers of a 304. */
const withoutBody = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !bodyHeaders.includes(name)))

function touch(entry: HotEntry, now: number): void {
  if (Math.abs(now - entry.touchedAt) < touchEveryMs) return
  entry.touchedAt = now
  entry.touch?.()
}

/** TLS at a proxy adds a header. Responses to plain requests depend on nothing else but the URL and, in some, on Accept. */
function keyOf({ protocol }: Pick<ClientInfo, 'protocol'>, { url = '', headers }: IncomingMessage): string {
  const key = url.includes('fmt=auto') ? `${acceptKey(headers.accept)} ${url}` : url
  return protocol === 'https' ? `tls ${key}` : key
}

/** A request for an image and nothing else. Rare and unusual requests go to the framework. */
function isPlain(config: Config, request: IncomingMessage): boolean {
  const { method, headers, httpVersion } = request
  if ((method !== 'GET' && method !== 'HEAD') || httpVersion !== '1.1') return false
  if (headers.range !== undefined || headers.expect !== undefined || headers.upgrade !== undefined) return false
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
  if (headers.origin !== undefined && config.CORS_ORIGINS.length > 0) return false
  if (config.MEDIA_ORIGIN !== undefined && !isForMedia(config, request)) return false
  return brokenRule(request) === undefined
}

/** Drops what other processes have changed. @returns false when that could not be checked */
function detectChanges({ imageChanges }: Deps): boolean {
  try {
    imageChanges?.detectExternalWrites()
    return true
  } catch {
    return false
  }
}

/** On PostgreSQL other servers change rows without notice: the row and the owner's status are read at each request. */
async function isSameRow({ db }: Deps, { row }: HotEntry): Promise<boolean> {
  const current = await db
    .selectFrom('images')
    .select(['file_name', 'original_name', 'expires_at', 'visibility', 'view_key_version'])
    .where('id', '=', row.id)
    .where('views_left', 'is', null)
    .where(isAvailable)
    .executeTakeFirst()
  return (
    current?.expires_at === row.expires_at &&
    current.file_name === row.file_name &&
    current.visibility === row.visibility &&
    current.view_key_version === row.view_key_version &&
    current.original_name === row.original_name
  )
}
