// GET /metrics: with METRICS_TOKEN, or from this machine unless a proxy is configured.
import { statfs } from 'node:fs/promises'
import { Cron } from 'croner'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { countRows } from '../../db/count-rows.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { reservedBytes } from '../../domain/shared/disk-space.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { imageTotals } from '../../domain/images/image-totals.ts'
import { countOpenReports } from '../../domain/moderation/reports/send-report.ts'
import { hashCount } from '../../domain/accounts/passwords.ts'
import { hashSecret, secretMatches } from '../../domain/shared/secrets.ts'

export function bindMetrics(app: FastifyInstance, deps: Deps): void {
  registerGauges(deps)
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    deps.metrics.request(route, request.method, reply.statusCode, reply.elapsedTime / 1000)
  })
  app.get('/metrics', async (request, reply) => {
    assertMayRead(deps, request)
    const { type, body } = await deps.metrics.text()
    return reply.type(type).send(body)
  })
}

function registerGauges(deps: Deps): void {
  const { metrics, imaging, variants, db, uploadsInFlight } = deps
  registerSpace(deps)
  registerBackups(deps)
  registerMail(deps)
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
  laneGauge(
    'waited_seconds',
    'Seconds that jobs have waited for a process since the start',
    (lane) => lane.waitedMs / 1000,
  )
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
}

function registerSpace({ metrics, db, config }: Deps): void {
  metrics.gauge(
    'disk_bytes',
    'Disk of DATA_DIR: free bytes, the reserve below which uploads are refused, total',
    async () => {
      const disk = await statfs(config.DATA_DIR)
      return { free: disk.bavail * disk.bsize, reserve: reservedBytes(disk), total: disk.blocks * disk.bsize }
    },
  )
  metrics.gauge('quota_used_bytes', 'Stored bytes that count for the limit of all images and of guests', async () => {
    const { bytes, guestBytes } = await imageTotals(db)
    return { all: bytes, guests: guestBytes }
  })
  const { MAX_STORAGE_BYTES: all, GUEST_QUOTA_BYTES: guests } = config
  metrics.gauge('quota_limit_bytes', 'MAX_STORAGE_BYTES and GUEST_QUOTA_BYTES; absent without a limit', () => ({
    ...(all > 0 && { all }),
    ...(guests > 0 && { guests }),
  }))
}

function registerBackups({ metrics, db, config, now }: Deps): void {
  const findLast = () =>
    db
      .selectFrom('backups')
      .select(['created_at', 'bytes'])
      .where('status', '=', 'completed')
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
  metrics.gauge('last_backup_timestamp_seconds', 'When the last good backup began; absent without one', async () => {
    const last = await findLast()
    return last ? last.created_at / 1000 : {}
  })
  metrics.gauge('last_backup_bytes', 'Size of the last good backup; absent without one', async () => {
    const last = await findLast()
    return last ? last.bytes : {}
  })
  const { BACKUP_SCHEDULE: schedule } = config
  metrics.gauge(
    'backup_interval_seconds',
    'Longest time between two backups of BACKUP_SCHEDULE; absent without one',
    () => {
      const gapMs = schedule === undefined ? undefined : longestGapMs(schedule, now())
      return gapMs === undefined ? {} : gapMs / 1000
    },
  )
  metrics.gauge('backups', 'Backups by status', async () => {
    const rows = await db
      .selectFrom('backups')
      .select((select) => ['status', select.fn.countAll<number>().as('count')])
      .groupBy('status')
      .execute()
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
  })
}

function registerMail({ metrics, db, mail, now }: Deps): void {
  metrics.gauge(
    'mail_unavailable_seconds',
    'For how long the mail server has accepted no mail; absent without SMTP_URL',
    () => (mail ? (mail.outage ? Math.floor((now() - mail.outage.since) / 1000) : 0) : {}),
  )
  metrics.gauge('queued_mails', 'Mails that the mail server has not accepted yet', () =>
    countRows(db.selectFrom('outgoing_mail')),
  )
}

/** Of the next 200 runs, a week of hourly ones: a schedule may leave out hours or days. */
function longestGapMs(schedule: string, now: number): number | undefined {
  const runs = new Cron(schedule, { timezone: 'UTC', paused: true }).nextRuns(200, new Date(now))
  const gaps = runs.slice(1).map((run, at) => run.getTime() - (runs[at]?.getTime() ?? 0))
  return gaps.length === 0 ? undefined : Math.max(...gaps)
}

/** @throws {Failure} forbidden */
function assertMayRead({ config }: Deps, request: FastifyRequest): void {
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
