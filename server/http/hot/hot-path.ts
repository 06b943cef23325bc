// Pictures asked for again are answered before the framework: the same status, headers, bytes, figures and line in the log.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { MayHold } from '../../blobs/blob-store.ts'
import type { Deps } from '../../domain/deps.ts'
import type { ServedPicture } from '../../domain/images/served.ts'
import { brokenRule } from '../guard/broken-requests.ts'
import { cacheControl, matches } from '../files.ts'
import { type HotPicture, openHotPictures } from './hot-pictures.ts'
import { type KnownCaller, knownCallers } from './known-callers.ts'
import type { WhenGone } from '../guard/pipelining.ts'
import { isForMedia } from '../media-origin.ts'
import { recordHeaders, withOwn } from './recorded-headers.ts'
import type { WriteLine } from '../request-log.ts'
import { isTaken, type WatchAnswer } from '../guard/slow-clients.ts'
import type { Unsent } from '../guard/response-buffer-budget.ts'

/** Longer addresses of pictures are nobody's but those who look for a limit. */
const maxUrlLength = 300
/** Between two words that a picture was used. */
const tellEveryMs = 10_000

export interface HotPath {
  /**
   * @param handOn to the framework
   * @returns false: not answered, and nothing done to the request
   */
  answer(request: IncomingMessage, response: ServerResponse, whenGone: WhenGone, handOn: () => void): boolean
  /** To be called before the row of a picture is read. @returns what takes the picture that came of it */
  expect(request: FastifyRequest): (reply: FastifyReply, picture: ServedPicture, bytes: Buffer) => void
  /** What is answered from now on is the framework's: it says to each client that its line ends. */
  close(): void
}

interface Given {
  writeLine: WriteLine
  watchAnswer: WatchAnswer
  unsent: Unsent
}

export function openHotPath(deps: Deps, log: FastifyBaseLogger, { writeLine, watchAnswer, unsent }: Given): HotPath {
  const pictures = openHotPictures(deps.imageChanges)
  let answered = 0
  deps.metrics.gauge('hot_pictures', 'Pictures that are answered from what is remembered of them', () => ({
    ...pictures.stats(),
    answered,
  }))
  const callers = knownCallers(deps.config)
  let isClosing = false

  function answer(...[request, response, whenGone, handOn]: Parameters<HotPath['answer']>): boolean {
    const startedAt = performance.now()
    if (isClosing || !isPlain(deps.config, request)) return false
    const caller = callers.of(request)
    if (!caller || !isDatabaseSeen(deps)) return false
    const key = keyOf(caller, request.url)
    const picture = pictures.find(key)
    if (!picture) return false
    const send = (bytes: Buffer | undefined) =>
      sendHot({ request, response, whenGone, caller, picture, startedAt, bytes })
    const wantsBytes = request.method === 'GET' && !matches(request.headers['if-none-match'], picture.etag)
    const bytes = pictures.bytesOf(key)
    if (wantsBytes && !bytes && !picture.readAgain) return false
    if (deps.imageChanges && (bytes || !wantsBytes)) {
      if (picture.row.expires_at <= deps.now()) return false
      if (bytes) tellReused(picture)
      send(bytes)
      return true
    }
    void prepare({ key, picture, wantsBytes }, unsent(response)).then((prepared) => {
      const isGood = prepared !== null && pictures.isKept(key, picture) && picture.row.expires_at > deps.now()
      const isThere = !response.destroyed && !request.socket.destroyed
      if (isGood && isThere && !isClosing) send(prepared)
      else handOn()
    })
    return true
  }

  /** @returns null: the framework is to answer, which meets what is wrong itself, and tells */
  async function prepare(
    { key, picture, wantsBytes }: { key: string; picture: HotPicture; wantsBytes: boolean },
    mayHold: MayHold,
  ): Promise<Buffer | undefined | null> {
    try {
      if (!deps.imageChanges && !(await isSameRow(deps, picture))) {
        pictures.drop(key)
        return null
      }
      if (!wantsBytes) return undefined
      const kept = pictures.bytesOf(key)
      if (kept) {
        tellReused(picture)
        return kept
      }
      // Streamed, then; and still the same picture.
      if (!mayHold(picture.size)) return null
      const bytes = await picture.readAgain?.()
      if (bytes) pictures.keepBytes(key, picture, bytes)
      else pictures.drop(key)
      return bytes ?? null
    } catch {
      pictures.drop(key)
      return null
    }
  }

  /** Who keeps the files gives up those first that were not used for long: what is used all the time need not say so each time. */
  function tellReused(picture: HotPicture): void {
    const now = deps.now()
    if (Math.abs(now - picture.toldAt) < tellEveryMs) return
    picture.toldAt = now
    picture.onReused()
  }

  function sendHot({ request, response, whenGone, caller, picture, startedAt, bytes }: Hot): void {
    answered++
    const reqId = randomUUID()
    const isUnchanged = matches(request.headers['if-none-match'], picture.etag)
    const own = { 'x-request-id': reqId, 'cache-control': cacheControl(picture.row.expires_at, deps.now()) }
    response.writeHead(
      isUnchanged ? 304 : 200,
      withOwn(isUnchanged ? picture.headers.unchanged : picture.headers.whole, own),
    )
    whenGone(() => {
      const ms = performance.now() - startedAt
      const { method = '', url = '' } = request
      writeLine({ reqId, method, url, status: response.statusCode, ms, address: caller.ip })
      if (response.writableFinished) deps.metrics.request(picture.route, method, response.statusCode, ms / 1000)
    })
    response.end(isUnchanged || request.method === 'HEAD' ? undefined : bytes)
    if (!isTaken(request.socket, response)) watchAnswer(request, response, () => log.child({ reqId }), caller.ip)
  }

  return {
    answer,

    expect(request) {
      callers.learn(request)
      const moment = pictures.moment()
      const { url } = request.raw
      return (reply, { row, etag, size, readAgain, onReused }, bytes) => {
        if (!isPlain(deps.config, request.raw) || url === undefined || url.length > maxUrlLength) return
        const { id, file_name, original_name, expires_at } = row
        const picture: HotPicture = {
          row: { id, file_name, original_name, expires_at },
          etag: `"${etag}"`,
          size,
          route: request.routeOptions.url ?? 'none',
          headers: recordHeaders(reply.getHeaders() as Record<string, string>),
          readAgain,
          onReused,
          toldAt: 0,
        }
        pictures.keep(keyOf(request, url), picture, bytes, moment)
      }
    },

    close() {
      isClosing = true
    },
  }
}

interface Hot {
  request: IncomingMessage
  response: ServerResponse
  whenGone: WhenGone
  caller: KnownCaller
  picture: HotPicture
  startedAt: number
  bytes: Buffer | undefined
}

/** TLS in front adds a header. All else that a reply depends on is the picture's, or sends the request on: see isPlain. */
const keyOf = ({ protocol }: Pick<KnownCaller, 'protocol'>, url = '') => (protocol === 'https' ? `tls ${url}` : url)

/** Asks for a picture and nothing else. Whatever is rare or odd is the framework's to answer. */
function isPlain(config: Config, request: IncomingMessage): boolean {
  const { method, headers, httpVersion } = request
  if ((method !== 'GET' && method !== 'HEAD') || httpVersion !== '1.1') return false
  if (headers.range !== undefined || headers.expect !== undefined || headers.upgrade !== undefined) return false
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
  if (headers.origin !== undefined && config.CORS_ORIGINS.length > 0) return false
  if (config.MEDIA_ORIGIN !== undefined && !isForMedia(config, request)) return false
  return brokenRule(request) === undefined
}

/** Where nobody else writes, changes are told; where the file cannot be asked, the framework's way says why. */
function isDatabaseSeen({ imageChanges }: Deps): boolean {
  try {
    imageChanges?.look()
    return true
  } catch {
    return false
  }
}

/** Where several servers share a database, nobody tells of a change: the row is asked for at each request. */
async function isSameRow({ db }: Deps, { row }: HotPicture): Promise<boolean> {
  const found = await db
    .selectFrom('images')
    .select(['file_name', 'original_name', 'expires_at'])
    .where('id', '=', row.id)
    .executeTakeFirst()
  return (
    found?.expires_at === row.expires_at &&
    found.file_name === row.file_name &&
    found.original_name === row.original_name
  )
}
