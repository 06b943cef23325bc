// The report that a runner of tests leaves for scripts/test.mjs.
import { writeFileSync } from 'node:fs'

export interface TestReport {
  passed: number
  failed: number
  /** Passed at the second attempt. */
  flaky: string[]
  files: { path: string; cpuSeconds: number }[]
}

/** The type of the annotation in which e2e/test.ts leaves the CPU seconds of a test. */
export const cpuAnnotation = 'cpu seconds'

/** Where test.mjs reads the report. Not set where a runner was started by hand. */
const path = process.env.TEST_REPORT

/** Written at once: a test may have loaded software that exits the process. */
export function writeReport(report: TestReport): void {
  if (path !== undefined) writeFileSync(path, JSON.stringify(report))
}
