import { stat, watch } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasImageExtension } from './find-files.ts'

/** A file that has not grown for this long is complete. */
const settledMs = 500

/**
 * Yields each image that is written to the folder from now on, once it is complete.
 * @throws when `signal` aborts
 */
export async function* watchFolder(
  folder: string,
  { isRecursive, signal }: { isRecursive: boolean; signal: AbortSignal },
): AsyncGenerator<string> {
  const seen = new Map<string, string>()
  for await (const { filename } of watch(folder, { recursive: isRecursive, signal })) {
    if (filename === null || !hasImageExtension(filename) || /(^|[\\/])\./.test(filename)) continue
    const path = join(folder, filename)
    const state = await settledState(path, signal)
    // Writing a file causes several events.
    if (state === undefined || seen.get(path) === state) continue
    seen.set(path, state)
    yield path
  }
}

/** @returns undefined when the file was removed or is empty */
async function settledState(path: string, signal: AbortSignal): Promise<string | undefined> {
  for (let before: string | undefined; ;) {
    const found = await stat(path).catch(() => undefined)
    if (!found?.isFile()) return undefined
    const state = `${found.size} ${found.mtimeMs}`
    if (state === before) return found.size === 0 ? undefined : state
    before = state
    await sleep(settledMs, undefined, { signal })
  }
}
