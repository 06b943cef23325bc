// Measures whether the time of a response tells a private image, or a link that has ended, from none at all: the same address of
// both, alternately, over HTTP.
import { withKey } from '../contract/derive/client.ts'
import { jpeg } from '../e2e/e2e-images.ts'
import { bearer, call, register, requestJson, store } from '../faults/client.ts'
import { openServer } from '../faults/resources.ts'
import { alternate } from './alternate-rounds.ts'
import type { Benchmark, Form, Row, Table } from './benchmark.ts'
import { timesRow } from './statistics.ts'

const shape = { short: { images: 3, rounds: 20 }, full: { images: 20, rounds: 1000 } } as const
/** Of pairs of responses in which the private one took longer, or the other. 0.5: their times are alike. */
const maxShare = 0.55

const browser = { accept: 'text/html', 'sec-fetch-dest': 'document' }

/** What is asked for, once of something that a stranger must not notice and once of nothing. */
interface Probe {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: Buffer
}
interface Way {
  title: string
  /** Of the nth. */
  secret: (n: number) => Probe
  none: (n: number) => Probe
  status: number
}

export const benchmark: Benchmark = {
  title: 'private images and ended links, and none: addresses, pages and API for a stranger',
  async run(size, defer) {
    const { url } = await openServer(defer)
    const ways = await prepare(url, shape[size].images)
    const tables: Table[] = []
    for (const way of ways) tables.push({ title: way.title, rows: await measure(size, url, way) })
    return tables
  },
}

const padded = (n: number, length: number) => String(n).padStart(length, '0')
/** As many as there are images: an address that was asked for before may be faster. */
const noId = (n: number) => `none${padded(n, 18)}`
const noName = (n: number) => `picture-${noId(n)}.jpg`
const madeUpKey = `zzzzzz.${'x'.repeat(22)}`
const formType = 'application/x-www-form-urlencoded'

interface Names {
  id: string
  file_name: string
  slug: string
  linkSlug: string
  key: string
}

/** Each image and each link has its own address, as an attacker may have kept it. */
async function prepare(url: string, count: number): Promise<Way[]> {
  const token = await register(url, 'owner@example.com')
  const strangerToken = await register(url, 'stranger@example.com')
  const stranger = bearer(strangerToken)
  const other = await keyOfOpenLink(url, strangerToken)
  const images: Names[] = []
  for (let n = 0; n < count; n++) {
    const { id, file_name } = await store(url, await jpeg(600, 400, n), { token })
    const slug = `image-${padded(n, 6)}`
    const body = { visibility: 'private', slug }
    await requestJson(`${url}/api/images/${id}`, { method: 'PATCH', token, body })
    const link = await requestJson<{ id: string; slug: string }>(`${url}/api/links`, { token, body: { images: [id] } })
    const key = await keyOnPage(url, link.slug)
    // Rendered and cached, as it was seen.
    for (const path of [`/uploads/${file_name}`, `/api/thumbnail/${id}/300`]) await call(url + withKey(path, key))
    await requestJson(`${url}/api/links/${link.id}`, { method: 'PATCH', token, body: { revoked: true } })
    images.push({ id, file_name, slug, linkSlug: link.slug, key })
  }
  const of = (n: number) => images[n % count] as Names
  /** The same address, by the names of an image and by those of none. */
  const both = (title: string, path: (names: Names) => string, more: Omit<Probe, 'path'> = {}): Way => ({
    title,
    secret: (n) => ({ path: path(of(n)), ...more }),
    none: (n) => ({
      path: path({ ...of(n), id: noId(n % count), file_name: noName(n % count), slug: `none-${padded(n % count, 7)}` }),
      ...more,
    }),
    status: 404,
  })
  const slugs = (title: string, more: Omit<Probe, 'path'> = {}): Way => ({
    title,
    secret: (n) => ({ path: `/l/${of(n).linkSlug}`, ...more }),
    none: (n) => ({ path: `/l/none${padded(n % count, 8)}`, ...more }),
    status: 404,
  })
  return [
    both('an original', ({ file_name }) => `/uploads/${file_name}`),
    both('a variant', ({ id }) => `/api/thumbnail/${id}/300`),
    both('an original, with the key of a revoked link', ({ file_name, key }) => withKey(`/uploads/${file_name}`, key)),
    both('a variant, with the key of a revoked link', ({ id, key }) => withKey(`/api/thumbnail/${id}/300`, key)),
    both('an original, with the key of a link to another image', ({ file_name }) =>
      withKey(`/uploads/${file_name}`, other),
    ),
    both('an original, signed by nobody', ({ file_name }) => withKey(`/uploads/${file_name}`, madeUpKey)),
    both('a share page', ({ id }) => `/i/${id}`, { headers: browser }),
    both('a custom link', ({ slug }) => `/s/${slug}`, { headers: browser }),
    both('oEmbed', ({ id }) => `/oembed?url=${encodeURIComponent(`${url}/i/${id}`)}`),
    both('the API, as another user', ({ id }) => `/api/images/${id}`, { headers: stranger }),
    slugs('the page of a revoked link', { headers: browser }),
    slugs('a password for a revoked link', {
      method: 'POST',
      headers: { 'content-type': formType, ...browser },
      body: Buffer.from('password=sea'),
    }),
  ]
}

async function keyOnPage(url: string, slug: string): Promise<string> {
  const page = (await call(`${url}/l/${slug}`)).body.toString()
  return /key=([\w.-]+)/.exec(page)?.[1] ?? ''
}

async function keyOfOpenLink(url: string, token: string): Promise<string> {
  const { id } = await store(url, await jpeg(600, 400, 1000), { token })
  await requestJson(`${url}/api/images/${id}`, { method: 'PATCH', token, body: { visibility: 'private' } })
  const { slug } = await requestJson<{ slug: string }>(`${url}/api/links`, { token, body: { images: [id] } })
  return keyOnPage(url, slug)
}

async function measure(size: Form, url: string, way: Way): Promise<Row[]> {
  const counts = { secret: 0, none: 0 }
  const attempt = (kind: 'secret' | 'none') => async () => {
    const { path, ...more } = way[kind](counts[kind]++)
    const { status } = await call(url + path, more)
    if (status !== way.status) throw new Error(`${path}: ${status}`)
  }
  const [secret = [], none = []] = await alternate([attempt('secret'), attempt('none')], shape[size].rounds)
  const [first, second] = [timesRow('one that is there', secret), timesRow('none', none)]
  return [
    { ...first, ratio: first.median / second.median },
    second,
    {
      what: 'share of pairs in which the same one is slower',
      unit: '',
      median: shareOf(secret, none),
      goal: { atMost: maxShare },
    },
  ]
}

/** Of all pairs, those in which the slower kind took longer: what one response tells an attacker who knows both kinds. */
function shareOf(some: readonly number[], others: readonly number[]): number {
  const counts = some.map((time) => others.filter((other) => other < time).length)
  const longer = counts.reduce((sum, count) => sum + count, 0) / (some.length * others.length)
  return Math.max(longer, 1 - longer)
}
