import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { jpeg } from '../testing/test-images.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ METRICS_TOKEN: 'a-token-for-prometheus' })
})
afterAll(() => app.stop())

const figures = async () => (await app.request('/metrics')).text()

describe('GET /metrics', () => {
  it('counts requests by their pattern, renders, cache hits and storage', async () => {
    const image = await app.guestImage(await jpeg())
    await app.request(`/api/resize/${image.id}/123`)
    await app.request(`/api/resize/${image.id}/123`)
    const text = await figures()
    expect(text).toMatch(
      /image_host_http_request_duration_seconds_count\{route="\/api\/resize\/:id\/:width",method="GET",status="200"\} 2/,
    )
    expect(text).toMatch(/image_host_decoder_jobs\{of="transform"\} 1/)
    expect(text).toMatch(/image_host_decoder_jobs\{of="ingest"\} 1/)
    expect(text).toMatch(/image_host_variant_cache\{of="hits"\} 1/)
    expect(text).toMatch(/image_host_images\{of="images"\} 1/)
    expect(text).toContain(`image_host_images{of="bytes"} ${image.size}`)
    expect(text).toMatch(/image_host_uploads_in_flight\{of="uploads"\} 0/)
    expect(text).not.toContain(image.id)
  })

  it('is open to this machine, but not through a proxy on it, and to holders of the token', async () => {
    const from = async (headers: Record<string, string>) => (await app.request('/metrics', { headers })).status
    expect(await from({})).toBe(200)
    expect(await from({ 'x-forwarded-for': '203.0.113.1' })).toBe(403)
    expect(await from({ 'x-forwarded-for': '203.0.113.1', authorization: 'Bearer wrong' })).toBe(403)
    expect(await from({ 'x-forwarded-for': '203.0.113.1', authorization: 'Bearer a-token-for-prometheus' })).toBe(200)
  })

  it.each([
    ['PUBLIC_URL', 'https://img.example.com'],
    ['TRUST_PROXY', '1'],
  ])('requires the token where %s indicates a proxy', async (name, value) => {
    const proxied = await startTestApp({ METRICS_TOKEN: 'a-token-for-prometheus', [name]: value })
    expect((await proxied.request('/metrics')).status).toBe(403)
    const headers = { authorization: 'Bearer a-token-for-prometheus' }
    expect((await proxied.request('/metrics', { headers })).status).toBe(200)
    await proxied.stop()
  })
})

describe.each(['alerts.yaml', 'grafana/dashboard.json'])('deploy/monitoring/%s', (name) => {
  const path = new URL(`../../deploy/monitoring/${name}`, import.meta.url)
  const used = async () => (await readFile(path, 'utf8')).replaceAll('\\"', '"')

  it('names metrics that exist', async () => {
    const existing = new Set(
      [...(await figures()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, metric = '', type]) =>
        type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${metric}_${part}`) : [metric],
      ),
    )
    const names = [...(await used()).matchAll(/\bimage_host_\w+/g)].map(([metric]) => metric)
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((metric) => !existing.has(metric))).toEqual([])
  })

  it('selects values of the label "of" that exist', async () => {
    const text = await figures()
    const selected = [...(await used()).matchAll(/\b(image_host_\w+)\{[^}]*?\bof=~?"([^"]+)"/g)].flatMap(
      ([, metric = '', values = '']) => values.split('|').map((value) => `${metric}{of="${value}"}`),
    )
    expect(selected.length).toBeGreaterThan(0)
    // Backups have a value only once there are some.
    const absent = selected.filter((series) => !series.startsWith('image_host_backups') && !text.includes(series))
    expect(absent).toEqual([])
  })
})
