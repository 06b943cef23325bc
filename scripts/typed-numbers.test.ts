// Product numbers are written once: in the contract, from which docs/reference.md is generated. A hand-written document may repeat
// one where its reader needs it, but no two documents may: they would have to be changed together.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { accountLimits } from '../contract/plain/account-limits.ts'
import { dayMs, hourMs, limits, minuteMs } from '../contract/plain/limits.ts'
import { moderationLimits, reportLimits } from '../contract/plain/moderation-limits.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** Generated, or a record of the past. */
const exempt = new Set(['api.md', 'configuration.md', 'metrics.md', 'reference.md', 'asvs.md'])
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...['docs', 'docs/recipes'].flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name.endsWith('.md') && !exempt.has(name))
      .map((name) => `${folder}/${name}`),
  ),
]

/** How a document would write a limit, by the unit in its name; undefined for numbers that are too common to be recognized. */
function formsOf(name: string, value: number): string[] | undefined {
  if (name.endsWith('Bytes')) return sizes(value)
  if (name.endsWith('Ms')) return times(value)
  if (name.endsWith('Days')) return times(value * dayMs)
  if (name.includes('Pixels')) return [`${value / 1_000_000} MP`]
  if (name.endsWith('Px')) return value < 1000 ? undefined : [`${grouped(value)} px`, `${value} px`]
  return value < 1000 ? undefined : [grouped(value)]
}

const grouped = (value: number) => value.toLocaleString('en-US')

function sizes(bytes: number): string[] | undefined {
  const letters = ['K', 'M', 'G', 'T', 'P']
  const unit = letters.findLastIndex((_, at) => bytes % 1024 ** (at + 1) === 0)
  if (unit < 0) return undefined
  const [letter, count] = [letters[unit], bytes / 1024 ** (unit + 1)]
  return [`${count} ${letter}B`, `${count} ${letter}iB`, `${count}${letter}B`, grouped(bytes)]
}

function times(ms: number): string[] | undefined {
  if (ms < minuteMs) return undefined
  const units: [string, number][] = [
    ['day', dayMs],
    ['hour', hourMs],
    ['minute', minuteMs],
  ]
  return units
    .filter(([, length]) => ms % length === 0 && ms / length > 1)
    .map(([unit, length]) => `${ms / length} ${unit}s`)
}

function leavesOf(value: unknown, path: string): [path: string, value: number][] {
  if (typeof value === 'number') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, `${path}.${name}`))
}

const leaves = Object.entries({ limits, accountLimits, moderationLimits, reportLimits }).flatMap(([name, value]) =>
  leavesOf(value, name),
)

test('no limit is typed into two documents', () => {
  const texts = pages.map((path) => [path, read(path)] as const)
  const repeated = leaves.flatMap(([path, value]) => {
    const forms = formsOf(path.split('.').at(-1) ?? '', value) ?? []
    const pattern = new RegExp(
      String.raw`(?<![\d.,])(?:${forms.map((form) => form.replaceAll('.', '\\.')).join('|')})(?![\d,]*\d|\w)`,
    )
    const found = forms.length === 0 ? [] : texts.filter(([, text]) => pattern.test(text)).map(([page]) => page)
    return found.length > 1 ? [`${path} (${forms[0]}): ${found.join(', ')}`] : []
  })
  expect(pages.length).toBeGreaterThan(20)
  expect(repeated).toEqual([])
})
