// The first page of lists, for owners of 1,000, 100,000 and 1,000,000 images, over HTTP, on both databases.
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
/** A list and its count are read by an index; a search looks at every name of the owner, so that it has no goal. */
const lists = ['/api/images', '/api/images?sort=name', '/api/images?sort=largest', '/api/expiring-images']
const filtered = ['/api/images?expires=soon', '/api/images?q=picture-7']
/** Answers of a list in one turn of its owner. */
const perTurn = 5
const dayMs = 86_400_000

export const part: Part = {
  name: 'lists',
  title: 'first page of 50 of lists, for owners of few and of many images',
  run: (form) =>
    onBothDatabases((title, folder, database) =>
      // The few are in a database of their own: beside a million rows of others theirs would be no list of a small database.
      withDatabase(database.kind, async (fewFolder, fewDatabase) => ({
        title,
        rows: await measure(form, { folder: fewFolder, database: fewDatabase }, { folder, database }),
        notes: [
          'Ratios to the owner of the fewest images, who is alone in a database of his own; the others share one.',
        ],
      })),
    ),
}

interface Place {
  folder: string
  database: Database
}

interface Owner {
  size: number
  url: string
  token: string
}

function measure(form: Form, few: Place, many: Place): Promise<Row[]> {
  const [fewest, ...others] = shape[form].sizes
  return withOwners(few, [fewest], (first) => withOwners(many, others, (rest) => compare(form, [...first, ...rest])))
}

async function withOwners<T>(
  { folder: dataDir, database: { kind, env, run: sql } }: Place,
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
    const asked = isList ? perTurn : 1
    const works = await Promise.all(owners.map((owner) => asks(owner, path, asked)))
    const times = await alternateRounds(works, isList ? rounds / perTurn : scans, isList ? 4 : 2)
    const found = owners.map(({ size }, n) =>
      timesRow(`${path}, ${size.toLocaleString('en')} images`, (times[n] ?? []).flat()),
    )
    const base = found[0]?.median ?? 0
    const goal = isList ? { goal: { atMost: 2 } } : {}
    rows.push(...found.map((row, n) => (n === 0 ? row : { ...row, ratio: row.median / base, ...goal })))
  }
  return rows
}

/** @returns asks for it so many times over one connection: milliseconds of each answer. @throws when it lists nothing */
async function asks({ url, token }: Owner, path: string, count: number): Promise<() => Promise<readonly number[]>> {
  const images = await requestJson<unknown[]>(url, path, { headers: bearer(token) })
  if (images.length === 0) throw new Error(`${path} lists nothing`)
  const request = getRequest(url, path, [`authorization: Bearer ${token}`])
  return async () => only(200, await load(url, { connections: 1, count, request: () => request })).times ?? []
}

/** Rows only: a list reads no bytes. The ten oldest expire within a week, the rest within a year. */
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
