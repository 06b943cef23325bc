import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openMetrics, type Reading } from './metrics.ts'

it('reports the current labels of a gauge, not earlier ones', async () => {
  const metrics = openMetrics()
  let reading: Reading = { running: 1, completed: 2 }
  metrics.gauge('tasks', 'Tasks by their status', () => reading)
  expect((await metrics.text()).body).toContain('image_host_tasks{of="running"} 1')
  reading = { completed: 3 }
  const { body } = await metrics.text()
  expect(body).toContain('image_host_tasks{of="completed"} 3')
  expect(body).not.toContain('running')
})

it('leaves out a reading that fails for a passing reason, and reports the rest', async () => {
  const metrics = openMetrics((error) => error instanceof RangeError)
  metrics.gauge('failing', 'Fails', () => Promise.reject(new RangeError('gone')))
  metrics.gauge('running', 'Jobs', () => 3)
  const { body } = await metrics.text()
  expect(body).toContain('image_host_running 3')
  expect(body).not.toMatch(/^image_host_failing/m)
  metrics.gauge('wrong', 'A mistake', () => Promise.reject(new Error('A mistake')))
  await expect(metrics.text()).rejects.toThrow('A mistake')
})

it('counts a job by its outcome, and sums the numbers of its result', async () => {
  const metrics = openMetrics()
  metrics.job('sweep', 'done', 0.5, { freedBytes: 3, reason: 'full' })
  metrics.job('sweep', 'done', 1, { freedBytes: 4 })
  metrics.job('sweep', 'skipped', 0)
  const { body } = await metrics.text()
  expect(body).toContain('image_host_job_duration_seconds_sum{job="sweep",outcome="done"} 1.5')
  expect(body).toContain('image_host_job_duration_seconds_count{job="sweep",outcome="skipped"} 1')
  expect(body.match(/^image_host_job_result_total.*/gm)).toEqual([
    'image_host_job_result_total{job="sweep",result="freedBytes"} 7',
  ])
})

it('the server calls every method', () => {
  const folder = new URL('.', import.meta.url)
  const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(new URL(path, folder), 'utf8'))
    .join('\n')
  expect(Object.keys(openMetrics()).filter((name) => !code.includes(`metrics.${name}(`))).toEqual([])
})
