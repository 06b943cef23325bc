// GET /metrics: from anywhere with METRICS_TOKEN; without it for Prometheus on this machine, where no proxy is configured.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { imageTotals } from '../domain/database/database-stats.ts'
import type { Deps } from '../domain/deps.ts'
import { Failure } from '../domain/failure.ts'
import { hashCount } from '../domain/passwords.ts'
import { hashSecret, secretMatches } from '../domain/secrets.ts'

export function bindMetrics(app: FastifyInstance, deps: Deps): void {
  nameGauges(deps)
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

function nameGauges({ metrics, imaging, variants, db }: Deps): void {
  metrics.gauge('password_hashes', 'Passwords and PINs hashed since the start', hashCount)
  const ofLanes = (figure: (lane: ReturnType<typeof imaging.stats>['ingest']) => number) => () => {
    const lanes = imaging.stats()
    return Object.fromEntries(Object.entries(lanes).map(([lane, stats]) => [lane, figure(stats)]))
  }
  metrics.gauge(
    'decoder_queue',
    'Jobs that wait for a decoder process',
    ofLanes((lane) => lane.queued),
  )
  metrics.gauge(
    'decoder_running',
    'Jobs under way',
    ofLanes((lane) => lane.running),
  )
  metrics.gauge(
    'decoder_processes',
    'Decoder processes alive',
    ofLanes((lane) => lane.alive),
  )
  metrics.gauge(
    'decoder_jobs',
    'Jobs since the start',
    ofLanes((lane) => lane.jobs),
  )
  metrics.gauge(
    'decoder_refused',
    'Jobs refused because the queue was full',
    ofLanes((lane) => lane.refusedAsBusy),
  )
  metrics.gauge(
    'decoder_kills',
    'Decoder processes killed for being too slow or too large',
    ofLanes((lane) => lane.kills),
  )
  metrics.gauge(
    'decoder_deaths',
    'Decoder processes that died by themselves',
    ofLanes((lane) => lane.deaths),
  )
  metrics.gauge(
    'variant_cache',
    'Rendered sizes on disk, and how they were asked for; of a hot picture, once in ten seconds',
    () => ({ ...variants.stats() }),
  )
  metrics.gauge('images', 'Images stored, and their bytes', async () => ({ ...(await imageTotals(db)) }))
  metrics.gauge('backups', 'Backups by their status', async () => {
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

/** The connection comes from this machine and was not forwarded: a local proxy forwards requests from anywhere. */
function isFromHere({ socket, headers }: FastifyRequest): boolean {
  const isLoopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(socket.remoteAddress ?? '')
  return isLoopback && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined
}
