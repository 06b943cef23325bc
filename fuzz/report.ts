// What a run has met: answers counted, flaws each once, the failing case kept as a file that the tests send again.
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Reply } from '../faults/client.ts'
import type { Form } from '../faults/protocol.ts'
import { isBusy, nameOf } from './response-checks.ts'
import type { RequestCase } from './request-case.ts'

/** Beside a file .bin, the body as it is sent; of requests the whole case stands here. */
export type Regression = { why: string } & (
  | { kind: 'upload'; as: 'guest' | 'user' }
  | { kind: 'request'; request: RequestCase }
)

export const regressions = fileURLToPath(new URL('regressions/', import.meta.url))

/** So many different flaws are kept; who has more has one reason for them. */
const mostKept = 20

export class Report {
  readonly flaws: string[] = []
  readonly answers = new Map<string, number>()
  /** Milliseconds of each answer that refused for good: neither a success nor "come again". */
  readonly refusedMs: number[] = []
  slowestMs = 0
  count = 0
  readonly #known = new Set<string>()
  readonly #form: Form

  constructor(form: Form) {
    this.#form = form
  }

  answered(reply: Reply): void {
    this.count++
    this.slowestMs = Math.max(this.slowestMs, reply.tookMs)
    if (reply.status >= 400 && !isBusy(reply)) this.refusedMs.push(reply.tookMs)
    const name = nameOf(reply)
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1)
  }

  /** Counts it. @returns whether it is worth the time to look for its smallest case */
  isNew(flaw: string): boolean {
    this.flaws.push(flaw)
    // Numbers and names made for this request do not make a flaw another one.
    const gist = flaw.replace(/[\w-]{20,}|\d+(\.\d+)?/g, '…')
    if (this.#form === 'short' || this.#known.has(gist) || this.#known.size >= mostKept) return false
    this.#known.add(gist)
    return true
  }

  async keep(
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
    console.log(`  FLAW ${why}: kept as fuzz/regressions/${hash}`)
  }

  /** "201 x 40, 422 broken_image x 51", the commonest first. */
  summary(): string {
    const rows = [...this.answers].toSorted(([, a], [, b]) => b - a)
    return rows.map(([name, times]) => `${name} x ${times}`).join(', ')
  }
}
