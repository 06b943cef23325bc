// Builds the Fastify server: its settings, all routes, and the order of the checks of a request.
import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { limits } from '../../contract/plain/limits.ts'
import type { Config } from '../config.ts'
import { purgeBeforeResponse, trackPurges } from '../domain/images/cache-purges.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { bindEndpoints } from './bind.ts'
import { warnOfCapacity } from './request/capacity-warnings.ts'
import { createConnectionLimit } from './guard/connection-limit.ts'
import { clientErrorHandler, maxHeaderBytes, assertWellFormed, assertUnencodedBody } from './guard/broken-requests.ts'
import { bindCompat } from './protocols/bind-compat.ts'
import { adoptPathKey } from './request/credentials.ts'
import { bindDeletePage } from './pages/delete-page.ts'
import { compressResponses } from './request/compressed-responses.ts'
import { allowOrigins } from './request/cross-origin.ts'
import { handleErrors, throwUnknownRoute, sendFailure, toFailure } from './request/errors.ts'
import { bindHealth } from './operations/health.ts'
import { createNodeServer } from './node-server.ts'
import { setCommonHeaders } from './request/common-headers.ts'
import { createHotResponses } from './delivery/hot-responses.ts'
import { redirectLegacyPaths } from './pages/legacy-path-redirects.ts'
import { isForMedia, separateMediaHost } from './request/media-origin.ts'
import { bindMcp } from './protocols/mcp.ts'
import { bindMetrics } from './operations/metrics.ts'
import { serializeRequests } from './guard/pipelining.ts'
import { warnOfUntrustedProxy } from './operations/proxy-warning.ts'
import { createRequestLog, formatAddresses, logRequests } from './request/request-log.ts'
import { bindResumableUploads } from './uploads/tus/bind-resumable-uploads.ts'
import { bindLinkPages } from './pages/link/bind-link.ts'
import { bindShare } from './pages/share/bind-share.ts'
import { handleImageErrors } from './pages/share/no-image-page.ts'
import { bindSiteDocuments } from './pages/site-documents.ts'
import { bindUnsubscribePage } from './pages/unsubscribe-page.ts'
import { createSlowClientGuard } from './guard/slow-clients.ts'
import { throughputLimits } from './guard/slow-client-limits.ts'
import { createResponseBufferBudget } from './guard/response-buffer-budget.ts'
import { bindWeb, createWeb, fontPathOf, linkScriptOf, type PageFiles, sendPageForBadUrl } from './pages/page-assets.ts'
import { createPageFrame } from './pages/page-frame.ts'

/** @param throughput limits of slow clients */
export async function buildServer(
  deps: Deps,
  rootLog: FastifyBaseLogger,
  page: PageFiles,
  throughput = throughputLimits,
): Promise<FastifyInstance> {
  const log = formatAddresses(deps, rootLog)
  const web = createWeb(deps.config, page)
  const frame = createPageFrame(deps.config.SITE_NAME, fontPathOf(web))
  const logRequest = createRequestLog(deps, log)
  const budget = createResponseBufferBudget(deps.metrics)
  const slowClients = createSlowClientGuard(throughput, deps.metrics)
  const { monitorResponse } = slowClients
  const hot = createHotResponses(deps, log, { logRequest, monitorResponse, budget })
  const app: FastifyInstance = fastify({
    serverFactory: (frameworkHandler) =>
      createNodeServer({
        config: deps.config,
        log,
        admitConnection: createConnectionLimit(deps.config, deps.metrics, log),
        onRequest: serializeRequests(log, (request, response, onClose) =>
          hot.handle(request, response, onClose, () => frameworkHandler(request, response)),
        ),
      }),
    loggerInstance: log,
    // logRequests logs one line per request.
    logController: new LogController({ disableRequestLogging: true }),
    // HEAD is declared with each route: the framework's own HEAD responds with content-length 0.
    exposeHeadRoutes: false,
    genReqId: () => randomUUID(),
    rewriteUrl: adoptPathKey,
    trustProxy: trustedProxies(deps.config.TRUST_PROXY),
    bodyLimit: limits.json.maxBodyBytes,
    // The contract refuses long parameters with a text; the size of the headers bounds them.
    routerOptions: { maxParamLength: maxHeaderBytes },
    clientErrorHandler: clientErrorHandler(deps.config),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A URL that cannot be decoded never reaches a handler.
    frameworkErrors(error, request, reply) {
      setCommonHeaders(deps.config, request, reply)
      const mayBePage = error.code === 'FST_ERR_BAD_URL' && !isForMedia(deps.config, request)
      if (mayBePage && sendPageForBadUrl(request, reply, web)) return
      sendFailure(request, reply, toFailure(error))
    },
  })
  acceptJson(app)
  // multipart.ts refuses a file that is too large. The plugin's error would come first, with another
  // code, when the first chunk of the body contains the whole file.
  await app.register(multipart, { limits: formLimits, throwFileSizeLimit: false })
  handleErrors(app)
  warnOfCapacity(app, deps)
  app.addHook('onRequest', async (request, reply) => {
    setCommonHeaders(deps.config, request, reply)
    assertWellFormed(request, reply)
  })
  warnOfUntrustedProxy(app, deps)
  separateMediaHost(app, deps.config)
  app.addHook('onRequest', async (request, reply) => {
    // Refused before the body is read: the not-found handler runs only after that.
    if (request.is404 && !isRead(request.method)) throwUnknownRoute(request, reply)
  })
  slowClients.register(app)
  waitForPurges(app, deps)
  app.addHook('preClose', async () => hot.close())
  logRequests(app, logRequest)
  await allowOrigins(app, deps.config)
  compressResponses(app)
  redirectLegacyPaths(app, deps, web)
  bindMetrics(app, deps)
  bindEndpoints(app, { deps, hot, budget, frame })
  bindCompat(app, deps)
  bindResumableUploads(app, deps)
  bindDeletePage(app, deps, frame)
  bindUnsubscribePage(app, deps, frame)
  bindShare(app, deps, frame)
  bindLinkPages(app, deps, { frame, scriptPath: linkScriptOf(web) })
  bindMcp(app, deps)
  bindHealth(app, deps)
  bindSiteDocuments(app, deps)
  bindWeb(app, web, handleImageErrors(deps, frame))
  app.setNotFoundHandler(throwUnknownRoute)
  return app
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

/** Passed to the parser, which supports headerSize though the types of the plugin do not. */
const formLimits = {
  files: 1,
  fields: limits.upload.maxFields,
  parts: limits.upload.maxFields + 1,
  fieldSize: limits.upload.maxFieldBytes,
  headerPairs: 20,
  headerSize: limits.upload.maxPartHeaderBytes,
}

/** A number trusts that many proxies in front of the server, a list trusts those addresses. */
const trustedProxies = (setting: Config['TRUST_PROXY']) =>
  typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting

/** Accepts JSON only. Where the body is optional, the header may come without a body. */
function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    assertUnencodedBody(request, 'application/json')
    if (body === '') done(null)
    else void parse(request, body as string, done)
  })
}

/** The response to a change is sent when caches in front have dropped what is no longer served. */
function waitForPurges(app: FastifyInstance, deps: Deps): void {
  if (deps.config.PURGE_URL === undefined) return
  // The parsing of the body leaves the asynchronous context of earlier hooks. GET and HEAD queue nothing.
  app.addHook('preHandler', ({ method }, _reply, done) => {
    if (isRead(method)) done()
    else trackPurges(done)
  })
  app.addHook('onSend', () => purgeBeforeResponse(deps))
}
