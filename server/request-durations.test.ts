// The histogram of requests has the same output as that of prom-client.
import { Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { requestDurations } from './request-durations.ts'

const seen: [route: string, method: string, status: number, seconds: number][] = [
  ['/uploads/:file_name', 'GET', 200, 0.0004],
  ['/uploads/:file_name', 'GET', 200, 0.001],
  ['/uploads/:file_name', 'GET', 304, 0],
  ['/uploads/:file_name', 'HEAD', 200, 0.0011],
  ['none', 'GET', 404, 0.75],
  ['none', 'GET', 404, 10],
  ['none', 'GET', 404, 75.5],
]

it('has the same output as a prom-client histogram with the same buckets', async () => {
  const [own, theirs] = [new Registry(), new Registry()]
  const durations = requestDurations('took_seconds', 'How long "it" took', own)
  const histogram = new Histogram({
    name: 'took_seconds',
    help: 'How long "it" took',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    registers: [theirs],
  })
  expect(await own.metrics()).toBe(await theirs.metrics())
  for (const [route, method, status, seconds] of seen) {
    durations.observe({ route, method, status }, seconds)
    histogram.observe({ route, method, status }, seconds)
  }
  expect(await own.metrics()).toBe(await theirs.metrics())
  expect(await own.metrics()).toContain(
    'took_seconds_bucket{le="0.001",route="/uploads/:file_name",method="GET",status="200"} 2',
  )
})
