// How many CPU seconds a test file may take: a file above its budget fails the run.

/**
 * Twice what the slowest file of a full run takes on a busy machine, including the processes that it starts. On a busy machine
 * the same work takes somewhat more CPU time, because processes share the caches.
 */
const seconds = 120

/**
 * Collections: one file runs all screens, all states of lists and forms, all faults, all commands, or every route to an image
 * in every state of it. A short run takes at most 40 s for one of them.
 * @type {Record<string, number>}
 */
const collections = {
  'e2e/screens.spec.ts': 800,
  'e2e/states.spec.ts': 400,
  'faults/faults.test.ts': 300,
  'server/cli/server-commands.test.ts': 250,
  'server/http/delivery/image-access.test.ts on PostgreSQL': 200,
}

/** @param {string} path from the root of the repository */
export const budgetOf = (path) => collections[path] ?? seconds
