// The HTTP server: framework settings, the order in which a request meets its checks, one log line a request.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { buildOpenApi } from '../../contract/openapi.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../domain/deps.ts'
import { baseUrl } from './client-address.ts'
import { bindEndpoints } from './bind.ts'
import { clientErrorHandler, maxHeaderBytes, refuseBrokenRequest, takeOddRequests } from './guard/broken-requests.ts'
import { answerErrors, refuseUnknownRoute, sendFailure, toFailure } from './errors.ts'
import { refuseEncodedBody } from './guard/content-encoding.ts'
import { setCommonHeaders } from './headers.ts'
import { bindHealth } from './health.ts'
import { type HotPath, openHotPath } from './hot/hot-path.ts'
import { isForMedia, keepToPictures } from './media-origin.ts'
import { bindMetrics } from './metrics.ts'
import { inTurn } from './guard/pipelining.ts'
import { logRequests, requestLines } from './request-log.ts'
import { cutSlowClients, paces } from './guard/slow-clients.ts'
import { countUnsent } from './guard/response-buffer-budget.ts'
import { bindWeb, loadWeb, sendPageForBadAddress } from './web.ts'

/**
 * Node's defaults are 60, 300 and 30 s: long enough to hold a server with slow clients. Looked for often, since all whose time
 * is over are answered in one go: thousands of them every 5 s kept everybody else waiting for most of a second (faults/slow).
 */
const timeouts = { headersMs: 10_000, requestMs: 60_000, checkMs: 50, keepAliveMs: 5_000 }
const maxConnections = 10_000

/** @param webDir folder of the built page. @param pace how slow clients may be; tests are in a hurry */
export async function buildServer(
  deps: Deps,
  log: FastifyBaseLogger,
  webDir: string,
  pace = paces,
): Promise<FastifyInstance> {
  const web = await loadWeb(deps.config, webDir)
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    // One line a request is ours to write: see logRequests.
    logController: new LogController({ disableRequestLogging: true }),
    // Said with each route instead: the framework's own HEAD answers a content-length of 0.
    exposeHeadRoutes: false,
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies(deps.config.TRUST_PROXY),
    bodyLimit: limits.json.maxBodyBytes,
    // What is too long is for the contract to refuse, in words; the size of the head bounds it.
    routerOptions: { maxParamLength: maxHeaderBytes },
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
      maxHeaderSize: maxHeaderBytes,
      // Refused by us, in words.
      requireHostHeader: false,
    },
    clientErrorHandler: clientErrorHandler(deps.config),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // An address that cannot be decoded never reaches a handler.
    frameworkErrors(error, request, reply) {
      setCommonHeaders(deps.config, request, reply)
      const mayBePage = error.code === 'FST_ERR_BAD_URL' && !isForMedia(deps.config, request)
      if (mayBePage && sendPageForBadAddress(request, reply, web)) return
      sendFailure(request, reply, toFailure(error))
    },
  })
  app.server.maxConnections = maxConnections
  // Past its 2,000th header Node tells us of none, but obeys them all. How many there can be, `maxHeaderSize` says.
  app.server.maxHeadersCount = 0
  takeOddRequests(app, deps.config)
  acceptJson(app)
  await app.register(multipart, { limits: formLimits })
  answerErrors(app)
  app.addHook('onRequest', async (request, reply) => {
    setCommonHeaders(deps.config, request, reply)
    refuseBrokenRequest(request, reply)
  })
  keepToPictures(app, deps.config)
  const writeLine = requestLines(log)
  const unsent = countUnsent(deps.metrics)
  const watchAnswer = cutSlowClients(app, pace, deps.metrics)
  const hot = openHotPath(deps, log, { writeLine, watchAnswer, unsent })
  answerAhead(app.server, hot, log)
  app.addHook('preClose', async () => hot.close())
  logRequests(app, writeLine)
  await allowOrigins(app, deps.config)
  bindMetrics(app, deps)
  bindEndpoints(app, deps, hot, unsent)
  bindHealth(app, deps)
  const document = buildOpenApi(deps.config.SITE_NAME)
  app.get('/api/openapi.json', (request) => ({ ...document, servers: [{ url: baseUrl(deps.config, request) }] }))
  bindWeb(app, web)
  app.setNotFoundHandler(refuseUnknownRoute)
  return app
}

/** Not by a server of our own making: the framework would then listen on one address of `localhost` only. */
function answerAhead(server: Server, hot: HotPath, log: FastifyBaseLogger): void {
  const listeners = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  server.removeAllListeners('request')
  const answer = inTurn(log, (request, response, whenGone) => {
    const handOn = () => {
      for (const listener of listeners) listener.call(server, request, response)
    }
    if (!hot.answer(request, response, whenGone, handOn)) handOn()
  })
  server.on('request', answer)
}

/** The parser's own, which knows headerSize too, though the types of the plugin around it do not. */
const formLimits = {
  files: 1,
  fields: limits.upload.maxFields,
  parts: limits.upload.maxFields + 1,
  fieldSize: limits.upload.maxFieldBytes,
  headerPairs: 20,
  headerSize: limits.upload.maxPartHeaderBytes,
}

/** A number trusts that many proxies in front of us, a list those addresses. */
const trustedProxies = (setting: Config['TRUST_PROXY']) =>
  typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting

/** JSON and nothing else. A call whose body is optional may come with the header and without a body. */
function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    refuseEncodedBody(request, 'application/json')
    if (body === '') done(null)
    else void parse(request, body as string, done)
  })
}

/** Pages of other origins may use the API only when the operator names them. */
async function allowOrigins(app: FastifyInstance, config: Config): Promise<void> {
  if (config.CORS_ORIGINS.length === 0) return
  await app.register(cors, {
    origin: config.CORS_ORIGINS,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['Link', 'X-Total-Count', 'X-Request-Id', 'Retry-After'],
  })
}
