// A full disk, as the checks of free space see it.
import fs from 'node:fs/promises'
import { vi } from 'vitest'
import { whileReplaced } from './replaced-builtin.ts'

/** Runs `work` as on a full disk, which no test can fill. */
export async function onFullDisk(work: () => Promise<void>): Promise<void> {
  const { statfs } = fs
  const spy = vi.spyOn(fs, 'statfs')
  spy.mockImplementation(async (path) => Object.assign(await statfs(path), { bavail: 0 }))
  await whileReplaced(spy, work)
}
