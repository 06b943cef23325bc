// The first page of lists, for owners of 1,000, 100,000 and 1,000,000 images, over HTTP, on both databases.
import { type RunningServer, startServer } from '../e2e/server.ts'
import { type Database, onBothDatabases } from './databases.ts'
import { inTurns, timesRow } from './figures.ts'
import type { Form, Part, Row } from './part.ts'

const shape = {
  short: { sizes: [100, 10_000], rounds: 10, scans: 3 },
  full: { sizes: [1_000, 100_000, 1_000_000], rounds: 200, scans: 10 },
} as const
/** A list and its count are read by an index; a search looks at every name of the owner, so that it has no goal. */
const lists = ['/api/images', '/api/images?sort=name', '/api/images?sort=largest', '/api/expiring-images']
const filtered = ['/api/images?expires=soon', '/api/images?q=picture-7']
const dayMs = 86_400_000

export const part: Part = {
  name: 'lists',
  title: 'first page of 50 of lists, for owners of few and of many images',
  run: (form) =>
    onBothDatabases(async (title, folder, database) => ({
      title,
      rows: await measure(form, folder, database),
      notes: ['Ratios to the owner of the fewest images.'],
    })),
}

async function measure(form: Form, dataDir: string, { kind, env, run: sql }: Database): Promise<Row[]> {
  const { sizes, rounds, scans } = shape[form]
  const options = { env, dataDir }
  const first = await startServer(options)
  const owners = await Promise.all(sizes.map((size) => register(first, `owner-${size}@example.com`)))
  await first.stop()
  for (const [n, size] of sizes.entries()) await sql(fill(kind, owners[n]?.id ?? '', size))
  await sql('analyze')

  const server = await startServer(options)
  try {
    const rows: Row[] = []
    for (const path of [...lists, ...filtered]) {
      const works = owners.map(
        ({ token }) =>
          () =>
            get(server, path, token),
      )
      const isList = lists.includes(path)
      const times = isList ? await inTurns(works, rounds) : await inTurns(works, scans, 2)
      const found = sizes.map((size, n) => timesRow(`${path}, ${size.toLocaleString('en')} images`, times[n] ?? []))
      const base = found[0]?.median ?? 0
      const goal = isList ? { goal: { atMost: 2 } } : {}
      rows.push(...found.map((row, n) => (n === 0 ? row : { ...row, ratio: row.median / base, ...goal })))
    }
    return rows
  } finally {
    await server.stop()
  }
}

async function get(server: RunningServer, path: string, token: string): Promise<void> {
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })
  const images = (await response.json()) as unknown[]
  if (response.status !== 200 || images.length === 0) throw new Error(`${path} answered ${response.status}`)
}

async function register(server: RunningServer, email: string): Promise<{ id: string; token: string }> {
  const response = await fetch(`${server.url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'secret-1' }),
  })
  const { user, token } = (await response.json()) as { user: { id: string }; token: string }
  return { id: user.id, token }
}

/** Rows only: a list reads no bytes. The ten oldest expire within a week, the rest within a year. */
function fill(kind: Database['kind'], owner: string, size: number): string {
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
    select ${id}, ${id} || '.jpg', 'picture-' || n || '.jpg', '${owner}', 'jpeg', 800, 600, 1, 0, 1000 + n, ${id},
      '#808080', ${now} - n, ${now} + cast(${dayMs} as bigint) * case when n > ${size} - 10 then 3 else 30 + n % 300 end
    from ${numbers};
    update users set image_count = ${size}, image_bytes = ${size} * cast(1000 as bigint) where id = '${owner}'`
}
