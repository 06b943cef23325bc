import { expect, it } from 'vitest'
import { openMetrics, type Reading } from './metrics.ts'

it('reports the current labels of a gauge, not earlier ones', async () => {
  const metrics = openMetrics()
  let reading: Reading = { running: 1, completed: 2 }
  metrics.gauge('backups', 'Backups by their status', () => reading)
  expect((await metrics.text()).body).toContain('image_host_backups{of="running"} 1')
  reading = { completed: 3 }
  const { body } = await metrics.text()
  expect(body).toContain('image_host_backups{of="completed"} 3')
  expect(body).not.toContain('running')
})

it('leaves out a reading that fails for a passing reason, and reports the rest', async () => {
  const metrics = openMetrics((error) => error instanceof RangeError)
  metrics.gauge('images', 'Images', () => Promise.reject(new RangeError('gone')))
  metrics.gauge('running', 'Jobs', () => 3)
  const { body } = await metrics.text()
  expect(body).toContain('image_host_running 3')
  expect(body).not.toMatch(/^image_host_images/m)
  metrics.gauge('wrong', 'A mistake', () => Promise.reject(new Error('A mistake')))
  await expect(metrics.text()).rejects.toThrow('A mistake')
})
