// Runs one protocol from its requirements to its verdict.
import { type Finding, type Form, none, type Protocol } from './protocol.ts'

export type Outcome = { lack: string } | { findings: Finding[] }

/** The findings of a protocol. One that throws has missed a figure: the others still run. */
export async function outcomeOf(protocol: Protocol, form: Form): Promise<Outcome> {
  try {
    const lack = await protocol.missing?.(form)
    return lack === undefined ? { findings: await protocol.run(form) } : { lack }
  } catch (error) {
    console.error(error)
    return { findings: [none('runs that threw', [String(error)])] }
  }
}
