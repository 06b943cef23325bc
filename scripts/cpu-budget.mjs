// How many CPU seconds a test file may take: a file above its budget fails the run.

/**
 * Twice what the slowest file takes, including the processes that it starts. CPU time hardly depends on what else the machine
 * does: with a second run beside it a file took up to 1.3 times as much.
 */
const seconds = 60

/** Collections: one file runs all screens, or all faults. */
/** @type {Record<string, number>} */
const collections = {
  'e2e/screens.spec.ts': 400,
  'faults/faults.test.ts': 200,
}

/** @param {string} path from the root of the repository */
export const budgetOf = (path) => collections[path] ?? seconds
