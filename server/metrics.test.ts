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
