// How many CPU seconds a test file may take: a file above its budget fails the run.

/**
 * Twice what the slowest file of a full run takes on a busy machine, including the processes that it starts. On a busy machine
 * the same work takes somewhat more CPU time, because processes share the caches.
 */
const seconds = 120

/**
 * Collections: one file runs all screens, all faults, or all commands. A short run takes about 25, 25 and 10 s; a full one
 * has seven times as many screens, in three times the states.
 * @type {Record<string, number>}
 */
const collections = {
  'e2e/screens.spec.ts': 800,
  'faults/faults.test.ts': 300,
  'server/cli/server-commands.test.ts': 200,
}

/** @param {string} path from the root of the repository */
export const budgetOf = (path) => collections[path] ?? seconds
