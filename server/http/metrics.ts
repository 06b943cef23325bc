// GET /metrics: with METRICS_TOKEN, or from this machine unless a proxy is configured.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../domain/deps.ts'
import { Failure } from '../domain/failure.ts'
import { imageTotals } from '../domain/image-totals.ts'
import { countOpenReports } from '../domain/images/reports/send-report.ts'
import { hashCount } from '../domain/passwords.ts'
import { hashSecret, secretMatches } from '../domain/secrets.ts'

export function bindMetrics(app: FastifyInstance, deps: Deps): void {
  registerGauges(deps)
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    deps.metrics.request(route, request.method, reply.statusCode, reply.elapsedTime / 1000)
  })
  app.get('/metrics', async (request, reply) => {
    authorize(deps, request)
    const { type, body } = await deps.metrics.text()
    return reply.type(type).send(body)
  })
}

function registerGauges({ metrics, imaging, variants, db, uploadsInFlight }: Deps): void {
  metrics.gauge('password_hashes', 'Passwords and PINs hashed since the start', hashCount)
  type LaneStats = ReturnType<typeof imaging.stats>['ingest']
  const laneGauge = (name: string, help: string, read: (lane: LaneStats) => number) =>
    metrics.gauge(`decoder_${name}`, help, () =>
      Object.fromEntries(Object.entries(imaging.stats()).map(([lane, stats]) => [lane, read(stats)])),
    )
  metrics.gauge('decoders', 'Decoder processes that each of the usual lanes may have', () => imaging.decoders)
  laneGauge('queue', 'Jobs queued for a decoder process', (lane) => lane.queued)
  laneGauge('running', 'Jobs running', (lane) => lane.running)
  laneGauge('processes', 'Decoder processes running', (lane) => lane.alive)
  laneGauge('jobs', 'Jobs since the start', (lane) => lane.jobs)
  laneGauge('refused', 'Jobs refused because they could not start in time', (lane) => lane.refusedAsBusy)
  laneGauge('kills', 'Decoder processes killed for exceeding their time or memory limit', (lane) => lane.kills)
  laneGauge('deaths', 'Decoder processes that exited by themselves', (lane) => lane.deaths)
  metrics.gauge(
    'variant_cache',
    'Variants on disk, their bytes, and hits and misses; a hot image counts as a hit every ten seconds',
    () => ({ ...variants.stats() }),
  )
  metrics.gauge('uploads_in_flight', 'Uploads being received or processed, and their declared bytes', () => {
    const { images, bytes } = uploadsInFlight.total()
    return { uploads: images, bytes }
  })
  metrics.gauge('images', 'Images stored, and their bytes', async () => ({ ...(await imageTotals(db)) }))
  metrics.gauge('open_reports', 'Reports of images without a decision, and the images they are about', async () => {
    const { reports, images } = await countOpenReports({ db })
    return { reports, images }
  })
  metrics.gauge('backups', 'Backups by status', async () => {
    const rows = await db
      .selectFrom('backups')
      .select((select) => ['status', select.fn.countAll<number>().as('count')])
      .groupBy('status')
      .execute()
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
  })
}

/** @throws {Failure} forbidden */
function authorize({ config }: Deps, request: FastifyRequest): void {
  const token = config.METRICS_TOKEN
  const given = /^Bearer (.{1,500})$/.exec(request.headers.authorization ?? '')?.[1]
  if (token !== undefined && given !== undefined && secretMatches(given, hashSecret(token))) return
  // A proxy on this machine that adds no forwarding header looks like this machine.
  const isBehindProxy = config.PUBLIC_URL !== undefined || config.TRUST_PROXY !== false
  if (!isBehindProxy && isFromHere(request)) return
  throw new Failure('forbidden')
}

/** The connection comes from this machine and was not forwarded by a local proxy. */
function isFromHere({ socket, headers }: FastifyRequest): boolean {
  const isLoopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(socket.remoteAddress ?? '')
  return isLoopback && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined
}
