// The results of a run: responses counted, violations deduplicated, failing cases saved as regressions
// that the tests replay.
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { CallResponse } from '../faults/client.ts'
import type { Form } from '../faults/scenario.ts'
import { isBusy, labelOf } from './response-checks.ts'
import type { RequestCase } from './request-case.ts'

/** The body of an upload is in a .bin file of the same name; a request is included. */
export type Regression = { why: string } & (
  | { kind: 'upload'; as: 'guest' | 'user' }
  | { kind: 'request'; request: RequestCase }
)

export const regressions = fileURLToPath(new URL('regressions/', import.meta.url))

/** Limit of saved cases per run: more violations usually have one cause. */
const maxSavedCases = 20

export class Report {
  readonly violations: string[] = []
  readonly responseCounts = new Map<string, number>()
  /** Milliseconds of each 4xx or 5xx response except 503. */
  readonly rejectedMs: number[] = []
  slowestMs = 0
  count = 0
  readonly #known = new Set<string>()
  readonly #form: Form

  constructor(form: Form) {
    this.#form = form
  }

  addResponse(reply: CallResponse): void {
    this.count++
    this.slowestMs = Math.max(this.slowestMs, reply.tookMs)
    if (reply.status >= 400 && !isBusy(reply)) this.rejectedMs.push(reply.tookMs)
    const name = labelOf(reply)
    this.responseCounts.set(name, (this.responseCounts.get(name) ?? 0) + 1)
  }

  /** Counts a violation. @returns whether its case is worth shrinking and saving */
  addViolation(violation: string): boolean {
    this.violations.push(violation)
    // Numbers and generated names do not distinguish violations.
    const gist = violation.replace(/[\w-]{20,}|\d+(\.\d+)?/g, '…')
    if (this.#form === 'short' || this.#known.has(gist) || this.#known.size >= maxSavedCases) return false
    this.#known.add(gist)
    return true
  }

  async saveRegression(
    why: string,
    what: { kind: 'upload'; as: 'guest' | 'user' } | { kind: 'request'; request: RequestCase },
    body?: Buffer,
  ): Promise<void> {
    const text = `${JSON.stringify({ why, ...what } satisfies Regression, null, 2)}\n`
    const hash = createHash('sha256')
      .update(body ?? text)
      .digest('hex')
      .slice(0, 16)
    await writeFile(`${regressions}${hash}.json`, text)
    if (body) await writeFile(`${regressions}${hash}.bin`, body)
    console.log(`  FLAW ${why}: saved as fuzz/regressions/${hash}`)
  }

  /** "201 x 40, 422 broken_image x 51", most frequent first. */
  summary(): string {
    const rows = [...this.responseCounts].toSorted(([, a], [, b]) => b - a)
    return rows.map(([name, times]) => `${name} x ${times}`).join(', ')
  }
}
