// npm run bench -- NAME …: measures the built product and prints tables. Without a name, all benchmarks; with --short, a smoke
// run of seconds each. The full form fails when a goal is missed.
import { formOf, loadNamed } from '../faults/named-modules.ts'
import type { Benchmark } from './benchmark.ts'
import { describeMachine, runBenchmark } from './run-benchmark.ts'

export async function main(args: string[]): Promise<boolean> {
  const form = formOf(args)
  const all = await loadNamed<{ benchmark: Benchmark }>(import.meta.dirname, '.bench.ts', args)
  console.log(describeMachine())
  let missedGoals = 0
  let notJudgedGoals = 0
  let broken = 0
  for (const { name, module } of all) {
    const { benchmark } = await module()
    console.log(`\n## ${name}: ${benchmark.title} (${form})`)
    const start = performance.now()
    const { text, isBroken, missed, notJudged } = await runBenchmark(benchmark, form)
    console.log(`${text}\n\nTook ${((performance.now() - start) / 1000).toFixed(1)} s`)
    // The short form is a smoke test: it has too few samples to judge.
    missedGoals += form === 'full' ? missed : 0
    notJudgedGoals += notJudged
    broken += Number(isBroken)
  }
  if (missedGoals > 0) console.log(`\nGoals missed: ${missedGoals}`)
  if (notJudgedGoals > 0)
    console.log(`\nGoals not judged, because something is missing on this machine: ${notJudgedGoals}`)
  if (broken > 0) console.log(`\nBenchmarks that failed: ${broken}`)
  return missedGoals + broken === 0
}
