// One protocol from its first question to its verdict, whatever becomes of it.
import { type Finding, type Form, none, type Protocol } from './protocol.ts'

export type Outcome = { lack: string } | { findings: Finding[] }

/** What a protocol has found. One that throws has missed a figure: the others are run all the same. */
export async function outcomeOf(protocol: Protocol, form: Form): Promise<Outcome> {
  try {
    const lack = await protocol.missing?.(form)
    return lack === undefined ? { findings: await protocol.run(form) } : { lack }
  } catch (error) {
    console.error(error)
    return { findings: [none('runs that broke off', [String(error)])] }
  }
}
