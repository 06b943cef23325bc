// Checks that every benchmark has the shape that the runner expects. `npm run bench` measures.
import { readdir, readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { withDeferred } from '../faults/resources.ts'
import type { Benchmark } from './benchmark.ts'
import { describeMachine, runBenchmark } from './main.ts'

const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.bench.ts'))
const benchmarkIn = async (file: string) =>
  ((await import(/* @vite-ignore */ new URL(file, import.meta.url).href)) as { benchmark: Benchmark }).benchmark

test.each(files)('%s exports a benchmark', async (file) => {
  expect(await benchmarkIn(file)).toMatchObject({ title: expect.stringMatching(/./), run: expect.any(Function) })
})

test('a benchmark runs against the built product and returns rows', { timeout: 60_000 }, async () => {
  const { text, isBroken } = await runBenchmark(await benchmarkIn('login-timing.bench.ts'), 'short')
  expect(isBroken).toBe(false)
  expect(text).toMatch(/^\| known \| [\d.]+ ms \|/m)
  expect(text).toMatch(/^\| difference of the medians \| .*<= 5 \| (ok|MISSED) \|$/m)
})

test('a burst of images arrives through each installed proxy', { timeout: 120_000 }, async ({ skip }) => {
  const benchmark = await benchmarkIn('image-burst.bench.ts')
  const missing = await benchmark.missing?.('short')
  if (missing !== undefined) skip(missing)
  const rows = (await withDeferred((defer) => benchmark.run('short', defer))).flatMap((table) => table.rows)
  const responses = rows.filter(({ goal }) => goal !== undefined).map((row) => row.responses)
  expect(responses.length).toBeGreaterThan(0)
  for (const one of responses) expect(one).toMatch(/^\d+ x 200$/)
})

test('the server without decoders starts with the settings of the product', async () => {
  const settings = async (path: string) =>
    (await readFile(new URL(path, import.meta.url), 'utf8')).match(/^(?:process\.umask|limitHeapGrowth)\(.+$/gm)
  expect(await settings('without-decode.mjs')).toEqual(await settings('../server/main.ts'))
  expect(await settings('without-decode.mjs')).toHaveLength(2)
})

test('a benchmark that throws is reported and does not end the run', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const broken: Benchmark = { title: 'x', run: () => Promise.reject(new Error('disk full')) }
  expect(await runBenchmark(broken, 'short')).toEqual({
    text: 'Failed: Error: disk full',
    isBroken: true,
    missed: 0,
    notJudged: 0,
  })
  expect(printed).toHaveBeenCalledOnce()
  printed.mockRestore()
})

test('a missing requirement is reported, and missed and unjudged goals are counted', async () => {
  const slow = { what: 'slow', unit: '/s', median: 1, ratio: 0.5, goal: { atLeast: 2 } } as const
  const rows = [slow, { ...slow, notJudged: true }]
  const benchmark: Benchmark = { title: 'x', run: async () => [{ rows }] }
  expect(await runBenchmark(benchmark, 'full')).toMatchObject({ missed: 1, notJudged: 1 })
  const lacking = { ...benchmark, missing: async () => 'it needs nginx' }
  expect(await runBenchmark(lacking, 'full')).toMatchObject({
    text: 'Skipped: it needs nginx',
    missed: 0,
    notJudged: 0,
  })
})

test('the machine is described with its processor, memory and Node version', () => {
  expect(describeMachine()).toMatch(/^\d+ x .+, \d+ GB, .+, Node \d+\.\d+\.\d+$/)
})
