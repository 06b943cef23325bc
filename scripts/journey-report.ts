// Playwright's reporter for scripts/test.mjs.
import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter'
import { relative } from 'node:path'
import { cpuAnnotation, writeReport } from './test-report.ts'

export default class JourneyReport implements Reporter {
  #tests: TestCase[] = []

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests()
  }

  onEnd(): void {
    const ofOutcome = (outcome: string) => this.#tests.filter((test) => test.outcome() === outcome)
    const seconds = new Map<string, number>()
    for (const test of this.#tests) seconds.set(pathOf(test), (seconds.get(pathOf(test)) ?? 0) + cpuSecondsOf(test))
    const flaky = ofOutcome('flaky')
    writeReport({
      passed: ofOutcome('expected').length + flaky.length,
      failed: ofOutcome('unexpected').length,
      flaky: flaky.map((test) => `${pathOf(test)}:${test.location.line} ${test.title}`),
      files: [...seconds].map(([path, cpuSeconds]) => ({ path, cpuSeconds })),
    })
  }
}

const pathOf = (test: TestCase) => relative(import.meta.dirname + '/..', test.location.file)

/** Of its attempts. Tests without a page have none. */
const cpuSecondsOf = (test: TestCase) =>
  test.annotations
    .filter(({ type }) => type === cpuAnnotation)
    .reduce((sum, { description }) => sum + Number(description), 0)
