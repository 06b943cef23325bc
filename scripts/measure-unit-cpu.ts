// Vitest runs this in the worker before each test file: measures the CPU time of the file for unit-report.ts.
import { afterAll } from 'vitest'
import { cpuSeconds } from './cpu-seconds.mjs'

declare module 'vitest' {
  interface TaskMeta {
    cpuSeconds?: number
  }
}

const before = cpuSeconds()

// The first that is registered runs last: after the hooks of the file itself, which stop its processes.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads the used fixtures from the pattern
afterAll(({}, file) => void (file.meta.cpuSeconds = Math.max(0, cpuSeconds() - before)))
