// Runs one benchmark and reports its tables, or why it was skipped or failed; describes the machine.
import { arch, cpus, release, totalmem, type } from 'node:os'
import { type Form, meetsGoal, type Benchmark } from './benchmark.ts'
import { formatTable } from './table.ts'

export interface Outcome {
  text: string
  /** It threw an error. The other benchmarks still run. */
  isBroken: boolean
  /** Rows that miss their goal. */
  missed: number
  /** Rows whose goal could not be judged here. */
  notJudged: number
}

export async function runBenchmark(benchmark: Benchmark, form: Form): Promise<Outcome> {
  try {
    const reason = await benchmark.missing?.(form)
    if (reason !== undefined) return { text: `Skipped: ${reason}`, isBroken: false, missed: 0, notJudged: 0 }
    const tables = await benchmark.run(form)
    const rows = tables.flatMap((table) => table.rows)
    const missed = rows.filter((row) => meetsGoal(row) === false).length
    const notJudged = rows.filter((row) => row.goal !== undefined && row.notJudged).length
    return { text: tables.map(formatTable).join('\n\n'), isBroken: false, missed, notJudged }
  } catch (error) {
    console.error(error)
    return { text: `Failed: ${String(error)}`, isBroken: true, missed: 0, notJudged: 0 }
  }
}

export function describeMachine(): string {
  const cores = cpus()
  const memory = `${Math.round(totalmem() / 1e9)} GB`
  return `${cores.length} x ${cores[0]?.model.trim()}, ${memory}, ${type()} ${release()} ${arch()}, Node ${process.versions.node}`
}
