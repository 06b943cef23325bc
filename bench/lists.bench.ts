// Measures the first page of lists over HTTP, for owners of 1,000, 100,000 and 1,000,000 images, on both databases.
import { onBothDatabases, withDatabase } from './databases.ts'
import { alternateRounds } from './alternate-rounds.ts'
import { timesRow } from './statistics.ts'
import { type ImageOwner, type Setup, timed, withImageOwners } from './image-owners.ts'
import type { Form, Benchmark, Row } from './benchmark.ts'

const shape = {
  short: { sizes: [100, 10_000], rounds: 10, scans: 3 },
  full: { sizes: [1_000, 100_000, 1_000_000], rounds: 200, scans: 10 },
} as const
const lists = [
  '/api/images',
  '/api/images?sort=name',
  '/api/images?sort=largest',
  '/api/images?sort=views',
  '/api/expiring-images',
]
/** Sorts all of them, so it has no goal. */
const filtered = ['/api/images?expires=soon']

export const benchmark: Benchmark = {
  title: 'first page of 50 of lists, for owners of few and of many images',
  run: (form) =>
    onBothDatabases((title, folder, database) =>
      // The smallest owner has its own database: a list beside a million rows of others is not a list of a small database.
      withDatabase(database.kind, async (fewFolder, fewDatabase) => ({
        title,
        rows: await measure(form, { folder: fewFolder, database: fewDatabase }, { folder, database }),
        notes: [
          'Ratios are to the owner of the fewest images, who is alone in a database; the other owners share one.',
        ],
      })),
    ),
}

function measure(form: Form, few: Setup, many: Setup): Promise<Row[]> {
  const [fewest, ...others] = shape[form].sizes
  return withImageOwners(few, [fewest], (first) =>
    withImageOwners(many, others, (rest) => compare(form, [...first, ...rest])),
  )
}

async function compare(form: Form, owners: readonly ImageOwner[]): Promise<Row[]> {
  const { rounds, scans } = shape[form]
  const rows: Row[] = []
  for (const path of [...lists, ...filtered]) {
    const isList = lists.includes(path)
    const works = owners.map((owner) => () => timed(owner, path))
    const times = await alternateRounds(works, isList ? rounds : scans, isList ? 20 : 2)
    const found = owners.map(({ size }, n) => timesRow(`${path}, ${size.toLocaleString('en')} images`, times[n] ?? []))
    const base = found[0]?.median ?? 0
    const goal = isList ? { goal: { atMost: 2 } } : {}
    rows.push(...found.map((row, n) => (n === 0 ? row : { ...row, ratio: row.median / base, ...goal })))
  }
  return rows
}
