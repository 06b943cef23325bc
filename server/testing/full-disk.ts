// A full disk, as the checks of free space see it.
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { vi } from 'vitest'

/** Runs `work` as on a full disk, which no test can fill. */
export async function onFullDisk(work: () => Promise<void>): Promise<void> {
  const { statfs } = fs
  const spy = vi
    .spyOn(fs, 'statfs')
    .mockImplementation(async (path) => Object.assign(await statfs(path), { bavail: 0 }))
  // The modules import it by name.
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    spy.mockRestore()
    syncBuiltinESMExports()
  }
}
