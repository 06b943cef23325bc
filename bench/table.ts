// Formats the rows of every benchmark in one table layout, so that figures of different benchmarks can be compared.
import { meetsGoal, type Goal, type Row, type Table } from './benchmark.ts'

const head = [
  '',
  'median',
  'spread',
  'p99 ms',
  'CPU ms',
  'of its core',
  'peak MB',
  'responses',
  '503',
  'ratio',
  'goal',
  '',
]

/** Markdown; columns without values are left out. */
export function formatTable({ title, rows, notes = [] }: Table): string {
  const lines = rows.map(cellsOf)
  const isFilled = (column: number) => column < 2 || lines.some((cells) => cells[column] !== '')
  const lineOf = (cells: readonly string[]) => `| ${cells.filter((_, column) => isFilled(column)).join(' | ')} |`
  return [
    ...(title === undefined ? [] : [`### ${title}`, '']),
    lineOf(head),
    `|${'---|'.repeat(head.filter((_, column) => isFilled(column)).length)}`,
    ...lines.map(lineOf),
    ...notes.flatMap((note) => ['', note]),
  ].join('\n')
}

function cellsOf(row: Row): string[] {
  const { what, unit, median, spread, p99Ms, cpuMs, coreShare, peakMB, responses, refused, ratio, goal, notJudged } =
    row
  const unitOf = unit === '/s' || unit === '' ? unit : ` ${unit}`
  const isMet = meetsGoal(row)
  return [
    what,
    `${digits(median)}${unitOf}`,
    spread === undefined ? '' : `${digits(spread[0])} to ${digits(spread[1])}`,
    p99Ms === undefined ? '' : digits(p99Ms),
    cpuMs === undefined ? '' : digits(cpuMs),
    coreShare === undefined ? '' : coreShare.toFixed(2),
    peakMB === undefined ? '' : peakMB.map((megabytes) => Math.round(megabytes)).join(' + '),
    responses ?? '',
    refused === undefined ? '' : String(refused),
    ratio === undefined ? '' : ratio.toFixed(2),
    goal === undefined ? '' : goalText(goal),
    goal !== undefined && notJudged ? 'not judged' : isMet === undefined ? '' : isMet ? 'ok' : 'MISSED',
  ]
}

const goalText = (goal: Goal) => ('atLeast' in goal ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`)

/** Three significant digits: 0.123, 1.23, 12.3, 123, 12,300. */
function digits(value: number): string {
  if (Number.isNaN(value)) return 'unknown'
  if (!Number.isFinite(value)) return String(value)
  const rounded = Number(value.toPrecision(3))
  return rounded >= 1000 ? rounded.toLocaleString('en') : String(rounded)
}
