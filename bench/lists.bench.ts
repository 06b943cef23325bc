// Measures the first page of lists over HTTP, for owners of 1,000, 100,000 and 1,000,000 images, on
// both databases.
import { register } from '../faults/client.ts'
import { withServer } from './resources.ts'
import { requestJson, bearer } from './request-json.ts'
import { type Database, onBothDatabases, withDatabase } from './databases.ts'
import { alternateRounds, timesRow } from './figures.ts'
import { getRequest, load, only } from './load.ts'
import type { Form, Part, Row } from './part.ts'

const shape = {
  short: { sizes: [100, 10_000], rounds: 10, scans: 3 },
  full: { sizes: [1_000, 100_000, 1_000_000], rounds: 200, scans: 10 },
} as const
/** A list and its count use an index. A search scans all names of the owner, so it has no goal. */
const lists = ['/api/images', '/api/images?sort=name', '/api/images?sort=largest', '/api/expiring-images']
const filtered = ['/api/images?expires=soon', '/api/images?q=picture-7']
/** Requests of a list per round and owner. */
const requestsPerRound = 5
const dayMs = 86_400_000

export const part: Part = {
  name: 'lists',
  title: 'first page of 50 of lists, for owners of few and of many images',
  run: (form) =>
    onBothDatabases((title, folder, database) =>
      // The smallest owner has its own database: a list beside a million rows of others is not a
      // list of a small database.
      withDatabase(database.kind, async (fewFolder, fewDatabase) => ({
        title,
        rows: await measure(form, { folder: fewFolder, database: fewDatabase }, { folder, database }),
        notes: [
          'Ratios are to the owner of the fewest images, who is alone in a database; the other owners share one.',
        ],
      })),
    ),
}

interface Setup {
  folder: string
  database: Database
}

interface Owner {
  size: number
  url: string
  token: string
}

function measure(form: Form, few: Setup, many: Setup): Promise<Row[]> {
  const [fewest, ...others] = shape[form].sizes
  return withOwners(few, [fewest], (first) => withOwners(many, others, (rest) => compare(form, [...first, ...rest])))
}

async function withOwners<T>(
  { folder: dataDir, database: { kind, env, run: sql } }: Setup,
  sizes: readonly number[],
  use: (owners: Owner[]) => Promise<T>,
): Promise<T> {
  const options = { env, dataDir }
  const tokens = await withServer(options, ({ url }) => Promise.all(sizes.map((size) => register(url, emailOf(size)))))
  for (const size of sizes) await sql(fill(kind, size))
  await sql('analyze')
  return withServer(options, ({ url }) => use(sizes.map((size, n) => ({ size, url, token: tokens[n] ?? '' }))))
}

const emailOf = (size: number) => `owner-${size}@example.com`

async function compare(form: Form, owners: readonly Owner[]): Promise<Row[]> {
  const { rounds, scans } = shape[form]
  const rows: Row[] = []
  for (const path of [...lists, ...filtered]) {
    const isList = lists.includes(path)
    const count = isList ? requestsPerRound : 1
    const works = await Promise.all(owners.map((owner) => createListRequests(owner, path, count)))
    const times = await alternateRounds(works, isList ? rounds / requestsPerRound : scans, isList ? 4 : 2)
    const found = owners.map(({ size }, n) =>
      timesRow(`${path}, ${size.toLocaleString('en')} images`, (times[n] ?? []).flat()),
    )
    const base = found[0]?.median ?? 0
    const goal = isList ? { goal: { atMost: 2 } } : {}
    rows.push(...found.map((row, n) => (n === 0 ? row : { ...row, ratio: row.median / base, ...goal })))
  }
  return rows
}

/**
 * @returns a function that requests the list `count` times over one connection.
 * @throws if the list is empty
 */
async function createListRequests(
  { url, token }: Owner,
  path: string,
  count: number,
): Promise<() => Promise<readonly number[]>> {
  const images = await requestJson<unknown[]>(url, path, { headers: bearer(token) })
  if (images.length === 0) throw new Error(`${path} is empty`)
  const request = getRequest(url, path, [`authorization: Bearer ${token}`])
  return async () => only(200, await load(url, { connections: 1, count, request: () => request })).times ?? []
}

/**
 * Inserts rows only: a list reads no files. The ten oldest expire within a week, the others within
 * a year.
 */
function fill(kind: Database['kind'], size: number): string {
  const owner = `(select id from users where email = '${emailOf(size)}')`
  const now = Date.now()
  const isPostgres = kind === 'postgres'
  const [id, numbers] = isPostgres
    ? [`lpad(n::text || '-${size}', 22, '0')`, `generate_series(1, ${size}) as n`]
    : [
        `substr('0000000000000000000000' || n || '-${size}', -22)`,
        `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${size}) select n from s)`,
      ]
  return `insert into images (id, file_name, original_name, owner_id, format, width, height, frames, has_alpha, bytes,
    sha256, placeholder, created_at, expires_at)
    select ${id}, ${id} || '.jpg', 'picture-' || n || '.jpg', ${owner}, 'jpeg', 800, 600, 1, 0, 1000 + n, ${id},
      '#808080', ${now} - n, ${now} + cast(${dayMs} as bigint) * case when n > ${size} - 10 then 3 else 30 + n % 300 end
    from ${numbers};
    update users set image_count = ${size}, image_bytes = ${size} * cast(1000 as bigint) where email = '${emailOf(size)}'`
}
