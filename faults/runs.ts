// Runs one protocol from its requirements to its verdict.
import { type Finding, type Form, none, type Protocol } from './protocol.ts'

export type Outcome = { missingRequirement: string } | { findings: Finding[] }

/** The findings of a protocol. One that throws has missed a figure: the others still run. */
export async function outcomeOf(protocol: Protocol, form: Form): Promise<Outcome> {
  try {
    const missingRequirement = await protocol.missing?.(form)
    return missingRequirement === undefined ? { findings: await protocol.run(form) } : { missingRequirement }
  } catch (error) {
    console.error(error)
    return { findings: [none('runs that threw', [String(error)])] }
  }
}
