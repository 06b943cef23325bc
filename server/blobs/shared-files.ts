// Local files that are made for whoever uses them: once for all who do so at the same time.
import type { LocalFile } from './blob-store.ts'

interface SharedFile {
  path: Promise<string>
  users: number
}

export class SharedFiles {
  readonly #inUse = new Map<string, SharedFile>()

  /**
   * Joins those who use the file of this key, or makes it.
   * @param make returns the path of the new file
   * @param discard called with the path after the last use
   * @throws what `make` throws
   */
  async open(
    key: string,
    make: () => Promise<string>,
    discard: (path: string) => Promise<unknown>,
  ): Promise<LocalFile> {
    const file = this.#inUse.get(key) ?? { path: make(), users: 0 }
    this.#inUse.set(key, file)
    file.users++
    try {
      const path = await file.path
      return {
        path,
        [Symbol.asyncDispose]: async () => {
          if (this.#leave(key, file)) await discard(path)
        },
      }
    } catch (error) {
      this.#leave(key, file)
      throw error
    }
  }

  /** @returns whether nobody else uses the file */
  #leave(key: string, file: SharedFile): boolean {
    file.users--
    if (file.users > 0) return false
    this.#inUse.delete(key)
    return true
  }
}

/** A file that stays where it is after its use. */
export const lastingFile = (path: string): LocalFile => ({ path, async [Symbol.asyncDispose]() {} })
