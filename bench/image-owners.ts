// Owners of many images, as rows: lists and searches read no files.
import { bodyOf, type Call, call, described, register } from '../faults/client.ts'
import { type Database, imageColumns, numbers } from './databases.ts'
import { withServer } from '../faults/resources.ts'

const dayMs = 86_400_000

export interface ImageOwner {
  size: number
  url: string
  token: string
}

export interface Setup {
  folder: string
  database: Database
  /** Statements that run when the images are there. */
  andThen?: readonly string[]
}

/** Runs `use` with a server whose database has an owner of so many images for each of the sizes. */
export async function withImageOwners<T>(
  { folder: dataDir, database: { kind, env, run: sql }, andThen = [] }: Setup,
  sizes: readonly number[],
  use: (owners: ImageOwner[]) => Promise<T>,
): Promise<T> {
  const options = { env, dataDir }
  const tokens = await withServer(options, ({ url }) => Promise.all(sizes.map((size) => register(url, emailOf(size)))))
  for (const size of sizes) {
    await sql(insertImages(kind, size, [1, size]))
    await sql(
      `update users set image_count = ${size}, image_bytes = ${size} * cast(1000 as bigint) where email = '${emailOf(size)}'`,
    )
  }
  for (const statement of andThen) await sql(statement)
  // PostgreSQL does that by itself, but later; SQLite has no statistics unless an operator collects them.
  if (kind === 'postgres') await sql('analyze')
  return withServer(options, ({ url }) => use(sizes.map((size, n) => ({ size, url, token: tokens[n] ?? '' }))))
}

export const emailOf = (size: number) => `owner-${size}@example.com`

/** SQL of the id of the image of number `n`. */
export const imageId = (kind: Database['kind'], size: number): string =>
  kind === 'postgres'
    ? `lpad(n::text || '-${size}', 22, '0')`
    : `substr('0000000000000000000000' || n || '-${size}', -22)`

/**
 * SQL that inserts images of the owner of `size` images. The ten oldest expire within a week, the others within a year; every
 * hundredth is a PNG.
 */
export function insertImages(kind: Database['kind'], size: number, [from, to]: readonly [number, number]): string {
  const owner = `(select id from users where email = '${emailOf(size)}')`
  const now = Date.now()
  const id = imageId(kind, size)
  return `insert into images (${imageColumns})
    select ${id}, ${id} || '.jpg', 'picture-' || n || '.jpg', ${owner}, case n % 100 when 0 then 'png' else 'jpeg' end,
      800, 600, 1, 0, 1000 + n, ${id}, '#808080', ${now} - n,
      ${now} + cast(${dayMs} as bigint) * case when n > ${size} - 10 then 3 else 30 + n % 300 end
    from ${numbers(kind, from, to)}`
}

/** @returns the milliseconds of a request of the owner. @throws on another status than 200, and if a list is empty */
export async function timed(
  { url, token }: ImageOwner,
  path: string,
  options: Pick<Call, 'method' | 'body'> = {},
): Promise<number> {
  const reply = await call(url + path, { token, ...options })
  const isEmpty = reply.status === 200 && bodyOf<{ length?: number }>(reply).length === 0
  if (reply.status !== 200 || isEmpty) throw new Error(`${path}: ${described(reply)}`)
  return reply.tookMs
}
