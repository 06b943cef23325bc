// Vitest's reporter for scripts/test.mjs.
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { writeReport } from './test-report.ts'

export default class UnitReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const inState = (state: string) => tests.filter((test) => test.result().state === state)
    writeReport({
      passed: inState('passed').length,
      failed: inState('failed').length,
      flaky: tests.filter((test) => test.diagnostic()?.flaky).map((test) => `${pathOf(test.module)} ${test.fullName}`),
      files: modules.map((module) => ({ path: pathOf(module), cpuSeconds: module.meta().cpuSeconds ?? 0 })),
    })
  }
}

const pathOf = ({ moduleId, project }: TestModule) =>
  `${relative(import.meta.dirname + '/..', moduleId)}${project.name === 'postgres' ? ' on PostgreSQL' : ''}`
