// Functions of Node that modules import by name, such as `statfs` of `node:fs/promises`.
import { syncBuiltinESMExports } from 'node:module'

/** Runs `work` while a spy replaces such a function. */
export async function whileReplaced(spy: { mockRestore: () => void }, work: () => Promise<unknown>): Promise<void> {
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    spy.mockRestore()
    syncBuiltinESMExports()
  }
}
