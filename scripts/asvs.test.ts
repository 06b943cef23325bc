// Compares docs/asvs.md with the standard's numbers and the repository: it is complete, and every named file exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Row {
  id: string
  level: number
  verdict: string
  place: string
}

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const table = read('docs/asvs.md')
const all = table.split('\n').flatMap((line): Row[] => {
  const [, id = '', level = '', , verdict = '', place = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
  return /^(V|API)\d/.test(id) ? [{ id, level: Number(level), verdict, place }] : []
})
const rows = all.filter(({ id }) => id.startsWith('V'))
const of = (verdict: string) => rows.filter((row) => row.verdict === verdict)

/** Requirements of ASVS 5.0.0 at level 1 and level 2, chapter by chapter. Those of level 3 are not in the table. */
const counts = [
  [8, 19],
  [4, 7],
  [8, 11],
  [2, 8],
  [4, 5],
  [13, 22],
  [6, 12],
  [4, 3],
  [4, 3],
  [5, 24],
  [3, 11],
  [3, 6],
  [1, 12],
  [2, 7],
  [3, 10],
  [0, 16],
  [0, 7],
]

it('docs/asvs.md lists every requirement of levels 1 and 2 once', () => {
  const ids = rows.map(({ id }) => id)
  expect(ids.filter((id) => !/^V\d{1,2}\.\d{1,2}\.\d{1,2}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(253)
  expect(rows).toHaveLength(253)
  const found = counts.map((_, index) => {
    const chapter = rows.filter(({ id }) => id.startsWith(`V${index + 1}.`))
    return [1, 2].map((wanted) => chapter.filter(({ level }) => level === wanted).length)
  })
  expect(found).toEqual(counts)
})

it('every requirement has a verdict, and the totals above the table are correct', () => {
  const figures = ['met', 'exception', 'does not apply'].map((verdict) => of(verdict).length)
  expect(figures.reduce((sum, count) => sum + count)).toBe(rows.length)
  expect(/(\d+) are met, (\d+) are exceptions, (\d+) do not apply/.exec(table)?.slice(1).map(Number)).toEqual(figures)
})

it('a requirement that does not apply has a reason', () =>
  expect(of('does not apply').filter(({ place }) => place === '')).toEqual([]))

it('every exception has its paragraph in docs/security.md, and no others exist', () => {
  const known = [...read('docs/security.md').matchAll(/^- \*\*(E\d+)\*\*/gm)].map(([, name]) => name)
  const named = of('exception').flatMap(({ place }) => /^E\d+(, E\d+)*\b/.exec(place)?.[0].split(', '))
  expect(new Set(known).size).toBe(known.length)
  expect(new Set<string | undefined>(named)).toEqual(new Set<string | undefined>(known))
})

describe('a requirement that is met', () => {
  const parts = all.flatMap(({ id, verdict, place }) =>
    [...place.matchAll(/`([\w./-]+\.[a-z]+)`(?: "([^"]+)")?/g)].map(([, file = '', title]) => ({
      id,
      verdict,
      file,
      title,
    })),
  )

  it('names a file', () => {
    const placed = new Set(parts.map(({ id }) => id))
    expect(
      of('met')
        .map(({ id }) => id)
        .filter((id) => !placed.has(id)),
    ).toEqual([])
  })

  it('names files that exist', () =>
    expect(parts.filter(({ file }) => !existsSync(new URL(`../${file}`, import.meta.url)))).toEqual([]))

  it('names tests that exist, where it names titles', () => {
    const missing = parts.filter(({ file, title }) => title !== undefined && !hasTest(read(file), title))
    expect(missing).toEqual([])
  })

  it('has a test for each of the ten API risks', () => {
    const risks = all.map(({ id }) => id).filter((id) => id.startsWith('API'))
    expect(risks).toEqual(Array.from({ length: 10 }, (_, index) => `API${index + 1}`))
    const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file)
    expect(risks.filter((risk) => !parts.some(({ id, file }) => id === risk && isTest(file)))).toEqual([])
  })

  it('names sections of docs/security.md by their headings', () => {
    const headings = [...read('docs/security.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    const named = rows.flatMap(({ place }) =>
      [...place.matchAll(/`docs\/security\.md`, "([^"]+)"/g)].map(([, heading]) => heading),
    )
    expect(named.filter((heading) => !headings.includes(heading))).toEqual([])
  })
})

it('comments cite sections of docs/security.md by their headings', () => {
  const headings = [...read('docs/security.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
  const parts = ['contract', 'server', 'web', 'faults', 'fuzz', 'bench'].flatMap((area) =>
    readdirSync(new URL(`../${area}`, import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))
      .flatMap((path) =>
        [...read(`${area}/${path}`).matchAll(/security\.md\b(?:, "([^"]+)"|(?:,| section| §)\s*(\S+))/g)].map(
          ([, heading, place]) => ({ path: `${area}/${path}`, part: heading ?? place }),
        ),
      ),
  )
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.filter(({ part }) => !headings.includes(part))).toEqual([])
})

it('docs/security.md names files and folders that exist', () => {
  const named = [...read('docs/security.md').matchAll(/`((?:contract|docs|server|scripts|web|e2e)\/[\w./-]*)`/g)]
  expect(named.length).toBeGreaterThan(50)
  expect(named.flatMap(([, path = '']) => (existsSync(new URL(`../${path}`, import.meta.url)) ? [] : [path]))).toEqual(
    [],
  )
})

/** A test title is a quoted first argument of a test, follows the table of one, or is a constant used there. */
function hasTest(source: string, title: string): boolean {
  const words = title.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const quoted = String.raw`['"\`]${words}['"\`]`
  const name = new RegExp(String.raw`\bconst (\w+) =\s+${quoted}`).exec(source)?.[1]
  const first = name === undefined ? quoted : String.raw`(?:${quoted}|${name}\b)`
  return new RegExp(String.raw`(?:\b(?:it|test)(?:\.\w+)*|[\])])\(\s*${first}`).test(source)
}
