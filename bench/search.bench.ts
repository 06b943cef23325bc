// Measures searches by name and filters by type over HTTP, for an owner of 1,000,000 images, on both databases, and what their
// index costs.
import { onBothDatabases } from './databases.ts'
import { alternateRounds } from './alternate-rounds.ts'
import { medianOf, timesRow } from './statistics.ts'
import { type ImageOwner, insertImages, type Setup, timed, withImageOwners } from './image-owners.ts'
import type { Form, Benchmark, Row } from './benchmark.ts'

const shape = {
  short: { size: 25_000, rounds: 3, inserts: 20 },
  full: { size: 1_000_000, rounds: 20, inserts: 2000 },
} as const

/** Of `picture-1.jpg` to `picture-1000000.jpg`, of which every hundredth is a PNG. */
const searches = [
  ['a name', 'q=picture-23456'],
  ['a part of few names', 'q=234'],
  ['a part of some names', 'q=PICTURE-23'],
  ['a part of every name', 'q=picture'],
  ['a rare type', 'type=png'],
  ['a frequent type', 'type=jpeg'],
  ['both, rare', 'q=234&type=png'],
  ['both, frequent', 'q=picture&type=jpeg'],
  ['by name, a part of few names', 'q=234&sort=name'],
  ['by size, a part of every name', 'q=picture&sort=largest'],
] as const
/** Worst cases, without a goal: the matches are far down in the list; a text too short for the index. */
const worst = [
  ['oldest first, a part of some names', 'q=picture-23&sort=oldest'],
  ['two characters', 'q=23'],
] as const

export const benchmark: Benchmark = {
  title: 'first page of 50 of searches and filters, for an owner of very many images',
  run: (form) =>
    onBothDatabases(async (title, folder, database) => {
      const { size } = shape[form]
      const setup = { folder, database }
      const rows = await withImageOwners(setup, [size], ([owner]) => compare(form, owner as ImageOwner))
      return {
        title,
        rows: [...rows, ...(await measureIndex(form, setup))],
        notes: [
          `Ratios of searches are to the first page of the same ${size.toLocaleString('en')} images without one; the goal of 100 ms holds for the medians as well.`,
          'The insert of an image is SQL outside the server, in a transaction each on SQLite, without syncing.',
        ],
      }
    }),
}

async function compare(form: Form, owner: ImageOwner): Promise<Row[]> {
  const paths = ['/api/images', ...[...searches, ...worst].map(([, query]) => `/api/images?${query}`)]
  const works = paths.map((path) => () => timed(owner, path))
  const [base = [], ...found] = await alternateRounds(works, shape[form].rounds, 2)
  const unfiltered = timesRow('without a search', base)
  const names = [...searches, ...worst].map(([name, query]) => `${name}: ${query}`)
  return [
    unfiltered,
    ...found.map((times, n) => {
      const row = timesRow(names[n] ?? '', times)
      const goal = n < searches.length ? { goal: { atMost: 5 } } : {}
      return { ...row, ratio: row.median / unfiltered.median, ...goal }
    }),
  ]
}

/** SQL for the bytes of the index and of the table, and for removing the index. */
const indexOf = {
  sqlite: {
    bytes: `select sum(pgsize) from dbstat where name like 'image_search%'`,
    tableBytes: `select sum(pgsize) from dbstat where name = 'images'`,
    drop: 'drop trigger images_search_insert',
  },
  postgres: {
    bytes: `select pg_relation_size('images_search')`,
    tableBytes: `select pg_relation_size('images')`,
    drop: 'drop index images_search',
  },
} as const

async function measureIndex(form: Form, { database }: Setup): Promise<Row[]> {
  const { size, inserts } = shape[form]
  const { bytes, tableBytes, drop } = indexOf[database.kind]
  const [indexMB, tableMB] = [(await database.readNumber(bytes)) / 1e6, (await database.readNumber(tableBytes)) / 1e6]
  let next = size
  const insert = async () => {
    const statements = Array.from({ length: inserts }, () => insertImages(database.kind, size, [++next, next]))
    const start = performance.now()
    await database.run(statements.join(';\n'))
    return (performance.now() - start) / inserts
  }
  const withIndex = medianOf((await alternateRounds([insert], 5)).flat())
  await database.run(drop)
  const without = medianOf((await alternateRounds([insert], 5)).flat())
  return [
    { what: 'index of names, beside the table', unit: 'MB', median: indexMB, ratio: indexMB / tableMB },
    {
      what: 'insert of an image, beside one without that index',
      unit: 'ms',
      median: withIndex,
      ratio: withIndex / without,
    },
  ]
}
