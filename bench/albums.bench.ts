// Measures albums over HTTP, for an owner of 100,000 images in one album, 1,000 albums and 10,000 tags, on both databases.
import { call, requestJson } from '../faults/client.ts'
import { alternateRounds } from './alternate-rounds.ts'
import { type Database, numbers, onBothDatabases } from './databases.ts'
import { timesRow } from './statistics.ts'
import { emailOf, type ImageOwner, imageId, timed, withImageOwners } from './image-owners.ts'
import type { Form, Benchmark, Row } from './benchmark.ts'

interface Shape {
  /** In the large album. The other albums share the same images. */
  images: number
  /** The oldest images: in no album, and without a tag. */
  outside: number
  albums: number
  /** Of the albums. */
  live: number
  tags: number
  /** In the trash, and at the front of an album. */
  trashed: number
  links: number
  rounds: number
}

const shape: Record<Form, Shape> = {
  short: { images: 2000, outside: 20, albums: 30, live: 3, tags: 200, trashed: 200, links: 5, rounds: 2 },
  full: {
    images: 100_000,
    outside: 100,
    albums: 1000,
    live: 20,
    tags: 10_000,
    trashed: 20_000,
    links: 50,
    rounds: 10,
  },
}
/** The goal for the medians of what is not a page of images. */
const goalMs = 100
const base = '/api/images'

export const benchmark: Benchmark = {
  title: 'an album of very many images, very many albums and tags',
  run: (form) =>
    onBothDatabases(async (title, folder, database) => {
      const wanted = shape[form]
      const size = wanted.images + wanted.outside
      const setup = { folder, database, andThen: fill(database.kind, wanted) }
      const rows = await withImageOwners(setup, [size], ([owner]) => compare(wanted, owner as ImageOwner))
      return {
        title,
        rows,
        notes: [
          `A page of images is judged by its ratio to ${base} of the same ${size.toLocaleString('en')} images, every other row by ${goalMs} ms.`,
        ],
      }
    }),
}

/** SQL that inserts the albums, tags and links of the owner, whose images are there. */
function fill(kind: Database['kind'], { images, outside, albums, live, tags, trashed, links }: Shape): string[] {
  const size = images + outside
  const owner = `(select id from users where email = '${emailOf(size)}')`
  const image = imageId(kind, size)
  const padded = (value: string) =>
    kind === 'postgres' ? `lpad((${value})::text, 6, '0')` : `substr('000000' || (${value}), -6)`
  const now = Date.now()
  const trashedId = `'trashed-' || ${padded('n')}`
  const columns = 'album_id, image_id, position, added_by, added_at'
  return [
    // The first is the large one, the second starts with trash, the last ones are live, and the one before these is empty.
    `insert into albums (id, owner_id, title, query, created_at)
      select 'album-' || n, ${owner}, 'Album ' || n, case when n > ${albums - live} then 'tag:tag-' || n end, ${now} - n
      from ${numbers(kind, 1, albums)}`,
    `insert into album_images (${columns}) select 'album-1', ${image}, 'f' || ${padded('n')}, ${owner}, ${now}
      from ${numbers(kind, 1, images)}`,
    `insert into album_images (${columns})
      select 'album-' || (2 + n % ${albums - live - 2}), ${image}, 'g0' || ${padded('n')}, ${owner}, ${now}
      from ${numbers(kind, 1, images)}`,
    `insert into images (id, file_name, original_name, owner_id, format, width, height, frames, has_alpha, bytes, sha256,
        placeholder, created_at, expires_at, undo_until)
      select ${trashedId}, ${trashedId}, 'trashed.jpg', ${owner}, 'jpeg', 800, 600, 1, 0, 1000, ${trashedId}, '#808080',
        ${now} - n, -${now}, ${now + 1_000_000_000} from ${numbers(kind, 1, trashed)}`,
    `insert into album_images (${columns}) select 'album-2', ${trashedId}, 'f' || ${padded('n')}, ${owner}, ${now}
      from ${numbers(kind, 1, trashed)}`,
    `insert into image_tags (image_id, owner_id, tag) select ${image}, ${owner}, 'tag-' || (n % ${tags})
      from ${numbers(kind, 1, images)}`,
    `update images set tags = (select tag from image_tags where image_id = images.id)
      where exists (select 1 from image_tags where image_id = images.id)`,
    `insert into links (id, slug, owner_id, album_id, created_at)
      select 'link-' || n, 'link-' || n, ${owner}, 'album-' || n, ${now} - n from ${numbers(kind, 1, links)}`,
  ]
}

interface Work {
  what: string
  /** A page of images is judged by its ratio to the list without a filter, everything else by `goalMs`. */
  isPage?: boolean
  run: () => Promise<number>
}

async function compare({ images, albums, live, rounds }: Shape, owner: ImageOwner): Promise<Row[]> {
  const { url, token } = owner
  const large = '/api/albums/album-1/images'
  const ids = (await requestJson<{ id: string }[]>(`${url}${large}?limit=100`, { token })).map(({ id }) => id)
  const newest = [...ids, ...(await idsOfNextPage(owner, `${large}?limit=100`))]
  const middle = cursorInMiddle(images, newest[0] ?? '')
  const get = (path: string) => () => timed(owner, path)
  const page = (what: string, path: string): Work => ({ what, isPage: true, run: get(path) })
  let move = 0
  const works: Work[] = [
    page('images without a filter', base),
    page('first page of the album', large),
    page('page in the middle of the album', `${large}?cursor=${middle}`),
    page('first page of an album that starts with trash', '/api/albums/album-2/images'),
    page('live album', `/api/albums/album-${albums}/images`),
    page('q=album:', `${base}?q=album:album-1`),
    page('q=album:, a small one', `${base}?q=album:album-3`),
    // Passes over the images of the large album one by one, so it is judged by its time.
    { what: 'q=-album: of nearly all images', run: get(`${base}?q=-album:album-1`) },
    page('q=album:none', `${base}?q=album:none`),
    page('q=tag:', `${base}?q=tag:tag-7`),
    page('q=tag:none', `${base}?q=tag:none`),
    {
      what: 'move of an image in the album',
      run: () =>
        timed(owner, large, { method: 'PATCH', body: { ids: [ids[1]], before: ids[++move % 2 === 0 ? 2 : 9] } }),
    },
    { what: 'addition of 200 images', run: () => additionOf(owner, `album-${albums - live}`, newest) },
    { what: `list of ${albums.toLocaleString('en')} albums`, run: get('/api/albums') },
    { what: 'list of links to albums', run: get('/api/links') },
    { what: 'list of tags', run: get('/api/tags') },
  ]
  const found = await alternateRounds(
    works.map(({ run }) => run),
    rounds,
    2,
  )
  const rows = works.map(({ what, isPage = false }, n) => ({ ...timesRow(what, found[n] ?? []), isPage }))
  const unfiltered = rows[0]?.median ?? 0
  return rows.map(({ isPage, ...row }, n) => {
    if (n === 0) return row
    if (isPage) return { ...row, ratio: row.median / unfiltered, goal: { atMost: 2 } }
    return { ...row, goal: { atMost: goalMs } }
  })
}

/** The cursor that the list of the album would give there: reading it to the middle would take a thousand requests. */
function cursorInMiddle(images: number, first: string): string {
  const number = Math.floor(images / 2)
  const id = `${number}${first.slice(first.lastIndexOf('-'))}`.padStart(22, '0')
  return Buffer.from(JSON.stringify(['album', `f${String(number).padStart(6, '0')}`, id])).toString('base64url')
}

async function idsOfNextPage({ url, token }: ImageOwner, path: string): Promise<string[]> {
  const { headers } = await call(url + path, { token })
  const next = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
  if (next === undefined) throw new Error(`${path} has one page`)
  const images = await requestJson<{ id: string }[]>(new URL(next, url).href, { token })
  return images.map(({ id }) => id)
}

/** Adds the images to an album, and removes them, which is not measured. */
async function additionOf(owner: ImageOwner, album: string, ids: readonly string[]): Promise<number> {
  const path = `/api/albums/${album}/images`
  const took = await timed(owner, path, { method: 'POST', body: { ids } })
  await timed(owner, path, { method: 'DELETE', body: { ids } })
  return took
}
