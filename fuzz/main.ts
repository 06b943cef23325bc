// npm run fuzz: sends mutated uploads and malformed requests to the built product. --seed N repeats a run, --uploads N and
// --requests N set the counts. Failing inputs are minimized and stored in fuzz/regressions, which the tests replay.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { printFindings } from '../faults/run-scenario.ts'
import { fuzz } from './fuzz.ts'

export async function main(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      uploads: { type: 'string', default: '100000' },
      requests: { type: 'string', default: '10000' },
    },
  })
  const [seed, uploads, requests] = [Number(values.seed), Number(values.uploads), Number(values.requests)]
  if (![seed, uploads, requests].every(Number.isSafeInteger)) {
    console.error('--seed, --uploads and --requests must be integers')
    process.exit(2)
  }
  console.log(`Seed ${seed}: ${uploads} uploads, ${requests} requests`)
  const missed = printFindings(await fuzz({ seed, uploads, requests, form: 'full' }))
  console.log(missed === 0 ? '\nAll figures reach their goals.' : `\n${missed} figures missed their goal.`)
  return missed === 0
}
