// npm run bench -- NAME …: measures the built product and prints tables. Without a name, all benchmarks; with --short, a smoke
// run of seconds each. The full form fails when a goal is missed.
import { arch, cpus, release, totalmem, type } from 'node:os'
import { runNamed, runOnce } from '../faults/run-named.ts'
import { type Benchmark, type Form, meetsGoal } from './benchmark.ts'
import { formatTable } from './table.ts'

export async function main(args: string[]): Promise<boolean> {
  console.log(describeMachine())
  let missedGoals = 0
  let notJudgedGoals = 0
  let broken = 0
  await runNamed<Benchmark>({ folder: import.meta.dirname, ending: '.bench.ts' }, args, async (benchmark, form) => {
    const { text, isBroken, missed, notJudged } = await runBenchmark(benchmark, form)
    console.log(`${text}\n`)
    // The short form is a smoke test: it has too few samples to judge.
    missedGoals += form === 'full' ? missed : 0
    notJudgedGoals += notJudged
    broken += Number(isBroken)
  })
  if (missedGoals > 0) console.log(`\nGoals missed: ${missedGoals}`)
  if (notJudgedGoals > 0)
    console.log(`\nGoals not judged, because something is missing on this machine: ${notJudgedGoals}`)
  if (broken > 0) console.log(`\nBenchmarks that failed: ${broken}`)
  return missedGoals + broken === 0
}

interface Outcome {
  text: string
  /** It threw an error. The other benchmarks still run. */
  isBroken: boolean
  /** Rows that miss their goal. */
  missed: number
  /** Rows whose goal could not be judged here. */
  notJudged: number
}

/** The tables of a benchmark, or why it was skipped or failed. */
export async function runBenchmark(benchmark: Benchmark, form: Form): Promise<Outcome> {
  const outcome = await runOnce(benchmark, form)
  const none = { isBroken: false, missed: 0, notJudged: 0 }
  if ('missingRequirement' in outcome) return { ...none, text: `Skipped: ${outcome.missingRequirement}` }
  if ('error' in outcome) return { ...none, text: `Failed: ${String(outcome.error)}`, isBroken: true }
  const rows = outcome.results.flatMap((table) => table.rows)
  return {
    text: outcome.results.map(formatTable).join('\n\n'),
    isBroken: false,
    missed: rows.filter((row) => meetsGoal(row) === false).length,
    notJudged: rows.filter((row) => row.goal !== undefined && row.notJudged).length,
  }
}

export function describeMachine(): string {
  const cores = cpus()
  const memory = `${Math.round(totalmem() / 1e9)} GB`
  return `${cores.length} x ${cores[0]?.model.trim()}, ${memory}, ${type()} ${release()} ${arch()}, Node ${process.versions.node}`
}
