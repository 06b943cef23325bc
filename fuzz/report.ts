// The results of a run: responses counted, flaws deduplicated, failing cases saved as regressions
// that the tests replay.
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Reply } from '../faults/client.ts'
import type { Form } from '../faults/protocol.ts'
import { isBusy, labelOf } from './response-checks.ts'
import type { RequestCase } from './request-case.ts'

/** The body of an upload is in a .bin file of the same name; a request is included. */
export type Regression = { why: string } & (
  | { kind: 'upload'; as: 'guest' | 'user' }
  | { kind: 'request'; request: RequestCase }
)

export const regressions = fileURLToPath(new URL('regressions/', import.meta.url))

/** Limit of saved cases per run: more flaws usually have one cause. */
const maxSavedCases = 20

export class Report {
  readonly flaws: string[] = []
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

  addResponse(reply: Reply): void {
    this.count++
    this.slowestMs = Math.max(this.slowestMs, reply.tookMs)
    if (reply.status >= 400 && !isBusy(reply)) this.rejectedMs.push(reply.tookMs)
    const name = labelOf(reply)
    this.responseCounts.set(name, (this.responseCounts.get(name) ?? 0) + 1)
  }

  /** Counts a flaw. @returns whether its case is worth shrinking and saving */
  addFlaw(flaw: string): boolean {
    this.flaws.push(flaw)
    // Numbers and generated names do not distinguish flaws.
    const gist = flaw.replace(/[\w-]{20,}|\d+(\.\d+)?/g, '…')
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
