// Counts the calls that can fail; the k-th one fails once.

export const kinds = ['EIO', 'ENOSPC', 'ETIMEDOUT'] as const
export type Kind = (typeof kinds)[number]
/** `undone`: it had no effect. `done`: it took effect, and its result was lost. */
export type Mode = 'undone' | 'done'

export interface Fault {
  /** Counted from 1. */
  at: number
  kind: Kind
  mode: Mode
}

/** Creates the error that callers of a layer would see. */
type Thrower = (kind: Kind, where: string) => Error

export class Points {
  /** The name of every fault point that was reached. */
  readonly names = new Set<string>()
  #fault: Fault | undefined
  #met = 0
  #hit: string | undefined

  /** From now on calls are counted, and one of them fails. */
  arm(fault: Fault): void {
    this.#fault = fault
    this.#met = 0
    this.#hit = undefined
  }

  /** @returns the fault point that failed, if the count was reached */
  disarm(): string | undefined {
    this.#fault = undefined
    return this.#hit
  }

  async meet<T>(where: string, throws: Thrower, work: () => Promise<T>): Promise<T> {
    const fault = this.#next(where)
    if (fault === undefined) return work()
    if (fault.mode === 'done') await work()
    throw throws(fault.kind, where)
  }

  /** For a call that cannot both take effect and fail. @returns the error when this call is to fail */
  failure(where: string, throws: Thrower): Error | undefined {
    const fault = this.#next(where)
    return fault && throws(fault.kind, where)
  }

  #next(where: string): Fault | undefined {
    if (this.#fault === undefined) return undefined
    this.names.add(where)
    if (++this.#met !== this.#fault.at) return undefined
    this.#hit = where
    return this.#fault
  }
}

/** As the system throws them. */
export const systemError: Thrower = (kind, where) =>
  Object.assign(new Error(`${kind}: a fault of the harness, ${where}`), { code: kind, syscall: where })
