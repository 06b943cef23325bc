// Vitest runs this in the worker before each test file on PostgreSQL: skips what a short run has on SQLite only.
import { beforeEach } from 'vitest'
import { leftOutOnPostgres, scope } from './test-selection.ts'

// Before the hooks of the file, which start its app.
beforeEach(({ task, skip }) => {
  const leftOut = (scope === 'short' && leftOutOnPostgres[task.file.name]) || []
  skip(leftOut.some((title) => task.name.includes(title)))
})
