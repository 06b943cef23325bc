// Figures for Prometheus. Events are counted where they happen; what can be asked is asked when the figures are read.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { requestDurations } from './request-durations.ts'

export interface Metrics {
  /** A request that was answered. `route` is its pattern, never its address: the number of series stays bounded. */
  request(route: string, method: string, status: number, seconds: number): void
  /** A job that ended, or was skipped since the clock is not trusted; the numbers in its result are added up by their names. */
  job(name: string, outcome: 'done' | 'failed' | 'skipped', seconds: number, result?: unknown): void
  /** Names a figure that is read when the figures are. */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>): void
  /** All figures in the Prometheus text format, and its content type. */
  text(): Promise<{ type: string; body: string }>
}

/** One number, or several by what they are of. */
export type Reading = number | Record<string, number>

const prefix = 'image_host_'

export function openMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix })
  const requests = requestDurations(
    `${prefix}http_request_duration_seconds`,
    'Time to answer, by route pattern, method and status',
    registry,
  )
  const jobs = new Histogram({
    name: `${prefix}job_duration_seconds`,
    help: 'Time of a job that runs by the clock, by its outcome',
    labelNames: ['job', 'outcome'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers,
  })
  const jobResults = new Counter({
    name: `${prefix}job_result_total`,
    help: 'What jobs did, added up: deletedImages and freedBytes of the sweep, and the like',
    labelNames: ['job', 'result'],
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

    gauge(name, help, read) {
      const gauge = new Gauge({
        name: prefix + name,
        help,
        labelNames: ['of'],
        registers,
        async collect() {
          const reading = await read()
          // What it no longer tells must not stay at what it told last.
          gauge.reset()
          if (typeof reading === 'number') gauge.set(reading)
          else for (const [of, value] of Object.entries(reading)) gauge.set({ of }, value)
        },
      })
    },

    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  }
}
