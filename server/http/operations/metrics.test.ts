import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { routes } from '../../../contract/plain/routes.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ METRICS_TOKEN: 'a-token-for-prometheus' }, undefined, { ownDecoders: true })
})
afterAll(() => app.stop())

let allFamilies = ''
beforeAll(async () => {
  allFamilies = await figures()
})

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

  it('shows the disk with its reserve, quotas and the last good backup with its schedule', async () => {
    const limited = await startTestApp({
      METRICS_TOKEN: 'a-token-for-prometheus',
      MAX_STORAGE_BYTES: '5000000',
      BACKUP_SCHEDULE: '30 2 * * 1-5',
    })
    const read = async () => (await limited.request('/metrics')).text()
    const valueOf = (text: string, series: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      )
    const image = await limited.guestImage(await jpeg())
    const before = await read()
    expect(valueOf(before, 'image_host_disk_bytes{of="free"}')).toBeGreaterThan(0)
    const [reserve, total] = ['reserve', 'total'].map((of) => valueOf(before, `image_host_disk_bytes{of="${of}"}`))
    expect(reserve).toBe(Math.min((total ?? 0) / 20, 1024 ** 3))
    expect(valueOf(before, 'image_host_quota_used_bytes{of="guests"}')).toBe(image.size)
    expect(valueOf(before, 'image_host_quota_limit_bytes{of="all"}')).toBe(5_000_000)
    // From Friday to Monday.
    expect(valueOf(before, 'image_host_backup_interval_seconds')).toBe(3 * 24 * 3600)
    expect(before).not.toMatch(/^image_host_last_backup_/m)
    const common = { taken_by: 'server' as const, place: 'disk' as const, progress: 100, error: null, seen_at: 1 }
    await limited.deps.db
      .insertInto('backups')
      .values([
        { ...common, id: 'good', status: 'completed', bytes: 123, created_at: 7_000_000 },
        { ...common, id: 'bad', status: 'failed', bytes: 9, created_at: 8_000_000 },
      ])
      .execute()
    const after = await read()
    expect(valueOf(after, 'image_host_last_backup_timestamp_seconds')).toBe(7000)
    expect(valueOf(after, 'image_host_last_backup_bytes')).toBe(123)
    expect(valueOf(after, 'image_host_backups{of="failed"}')).toBe(1)
    await limited.stop()
  })

  it('counts hashed passwords, and has the figures of each lane of decoders', async () => {
    const hashes = async () => Number(/^image_host_password_hashes (\d+)/m.exec(await figures())?.[1])
    const before = await hashes()
    await app.newUser()
    expect(await hashes()).toBe(before + 1)
    const lane = {
      queued: 1,
      running: 2,
      alive: 3,
      jobs: 4,
      waitedMs: 5000,
      refusedAsBusy: 6,
      kills: 7,
      deaths: 8,
      recycled: 9,
    }
    const { imaging } = app.deps
    const stats = vi.spyOn(imaging, 'stats').mockReturnValue({ ...imaging.stats(), heavy: lane })
    const text = await figures()
    stats.mockRestore()
    expect(
      text.match(/^image_host_decoder_\w+\{of="heavy"\} .*/gm)?.map((line) => line.replace('{of="heavy"}', '')),
    ).toEqual([
      'image_host_decoder_queue 1',
      'image_host_decoder_running 2',
      'image_host_decoder_processes 3',
      'image_host_decoder_jobs 4',
      'image_host_decoder_waited_seconds 5',
      'image_host_decoder_refused 6',
      'image_host_decoder_kills 7',
      'image_host_decoder_deaths 8',
    ])
    expect(text).toMatch(new RegExp(`^image_host_decoders ${imaging.decoders}$`, 'm'))
  })

  it('is documented in docs/metrics.md (vitest -u writes it)', async () => {
    const [names, types] = ['HELP', 'TYPE'].map(
      (kind) =>
        new Map(
          [...allFamilies.matchAll(new RegExp(`^# ${kind} (\\S+) (.+)$`, 'gm'))].map(([, name = '', text = '']) => [
            name,
            text,
          ]),
        ),
    )
    // Of Node and of the process: they differ between systems and versions.
    const own = [...(names ?? [])]
      .filter(([name]) => !/^image_host_(process|nodejs)_/.test(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    expect(own.length).toBeGreaterThan(25)
    const rows = own.map(([name, help]) => `| \`${name}\` | ${types?.get(name)} | ${help} |`)
    const page = [
      '# Metrics',
      'Generated from the server: a test fails when this list is stale. `/metrics` has them in the format of Prometheus,',
      'with `image_host_process_*` and `image_host_nodejs_*` of prom-client beside them. Where a metric has several values,',
      'the label `of` names them. [scale.md](scale.md#monitoring) has alerting rules and a dashboard.',
      '',
      '| Metric | Type | What it shows |',
      '|---|---|---|',
      ...rows,
    ]
    await expect(`${page.join('\n')}\n`).toMatchFileSnapshot('../../../docs/metrics.md')
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
  const path = new URL(`../../../deploy/monitoring/${name}`, import.meta.url)
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

  it('selects routes that exist', async () => {
    const existing = new Set(Object.values(routes).map((route) => route.split(' ')[1]))
    const selected = [...(await used()).matchAll(/\broute!?="([^"]+)"/g)].map(([, route = '']) => route)
    expect(selected.filter((route) => !existing.has(route))).toEqual([])
  })
})

const named = (text: string) => {
  const found = new Set(
    [...text.matchAll(/\bimage_host_(\w+?)(?:_bucket|_sum|_count)?\b/g)].map(([, name = '']) => name),
  )
  return (name: string) => found.has(name)
}
const ownNames = () =>
  [...allFamilies.matchAll(/^# TYPE image_host_(?!process_|nodejs_)(\w+)/gm)].map(([, name = '']) => name).toSorted()

it('a test names every metric', async () => {
  const server = new URL('../../', import.meta.url)
  const paths = (await readdir(server, { recursive: true })).filter((path) => path.endsWith('.test.ts'))
  const tests = await Promise.all(paths.map((path) => readFile(new URL(path, server), 'utf8')))
  const isRead = named(tests.join('\n'))
  expect(ownNames().filter((name) => !isRead(name))).toEqual([])
})

it('the dashboard or an alert has every metric, or there is a reason', async () => {
  const without = {
    decoders: 'does not change while a server runs',
    hot_pictures: 'for tuning',
    last_backup_bytes: 'the age is what matters',
    password_hashes: 'for tuning',
    queued_mails: 'an alert tells how long no mail was accepted',
    reports_total: 'the open ones are shown',
    unsent_bytes: 'for tuning',
    watched_lines: 'for tuning',
  }
  const folder = new URL('../../../deploy/monitoring/', import.meta.url)
  const files = ['alerts.yaml', 'grafana/dashboard.json'].map((name) => readFile(new URL(name, folder), 'utf8'))
  const isShown = named((await Promise.all(files)).join('\n'))
  expect(ownNames().filter((name) => !isShown(name))).toEqual(Object.keys(without))
})
