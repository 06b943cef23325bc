// Metrics for Prometheus. Events are counted where they happen, gauges read at each scrape.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { FailureCode } from '../contract/plain/failures.ts'
import type { ReportReason } from '../contract/plain/report-reasons.ts'

export interface Metrics {
  /** Counts a request. `route` is its pattern: with URLs the number of series is unbounded. */
  request(route: string, method: string, status: number, seconds: number): void
  /** Counts a job, skipped when the clock is wrong. Sums the numbers in its result by name. */
  job(name: string, outcome: 'done' | 'failed' | 'skipped', seconds: number, result?: unknown): void
  /** Counts a report of an image. */
  report(reason: ReportReason): void
  /** Counts a request that a blocklist refused. */
  blockRefusal(code: FailureCode): void
  /** Counts a connection refused because its address had too many. */
  refusedConnection(): void
  /** Registers a gauge that is read at each scrape. */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>): void
  /** All metrics in the Prometheus text format, and its content type. */
  text(): Promise<{ type: string; body: string }>
}

/** One number, or several by their label `of`. */
export type Reading = number | Record<string, number>

const prefix = 'image_host_'

/** @param isPassing whether a reading that failed so is left out, and all others are reported */
export function openMetrics(isPassing: (error: unknown) => boolean = () => false): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix })
  const requests = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'Duration of requests, by route pattern, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    registers,
  })
  const jobs = new Histogram({
    name: `${prefix}job_duration_seconds`,
    help: 'Duration of a scheduled job, by its outcome',
    labelNames: ['job', 'outcome'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers,
  })
  const jobResults = new Counter({
    name: `${prefix}job_result_total`,
    help: 'Sums of what jobs did, such as deletedImages and freedBytes of the sweep',
    labelNames: ['job', 'result'],
    registers,
  })
  const reports = new Counter({
    name: `${prefix}reports_total`,
    help: 'Reports of images, by reason',
    labelNames: ['reason'],
    registers,
  })
  const blockRefusals = new Counter({
    name: `${prefix}block_refusals_total`,
    help: 'Requests refused by a blocklist, by the code of the refusal',
    labelNames: ['code'],
    registers,
  })
  const refusedConnections = new Counter({
    name: `${prefix}connections_refused_total`,
    help: 'Connections refused because their address had too many',
    registers,
  })

  return {
    request: (route, method, status, seconds) => requests.observe({ route, method, status }, seconds),

    job(name, outcome, seconds, result) {
      jobs.observe({ job: name, outcome }, seconds)
      for (const [key, value] of Object.entries(result ?? {})) {
        if (typeof value === 'number') jobResults.inc({ job: name, result: key }, value)
      }
    },

    report: (reason) => reports.inc({ reason }),

    blockRefusal: (code) => blockRefusals.inc({ code }),

    refusedConnection: () => refusedConnections.inc(),

    gauge(name, help, read) {
      const gauge = new Gauge({
        name: prefix + name,
        help,
        labelNames: ['of'],
        registers,
        async collect() {
          const reading = await Promise.resolve().then(read).catch(absentWhilePassing)
          // A label that is no longer reported must not retain its last value.
          gauge.reset()
          if (typeof reading === 'number') gauge.set(reading)
          else for (const [of, value] of Object.entries(reading)) gauge.set({ of }, value)
        },
      })
    },

    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  }

  function absentWhilePassing(error: unknown): Reading {
    if (isPassing(error)) return {}
    throw error
  }
}
