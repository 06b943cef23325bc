// What a part holds for a while: a folder, a server. Given back whatever becomes of the work, and when the process is told to end.
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from '../e2e/at-exit.ts'
import { type RunningServer, startServer } from '../e2e/server.ts'

/** An empty folder of its own. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'image-host-bench-'))
  // Servers in it are only just ending then: what they still write is removed with the next try.
  const undone = atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
    undone()
  }
}

export async function withServer<T>(
  options: Parameters<typeof startServer>[0],
  use: (server: RunningServer) => Promise<T>,
): Promise<T> {
  const server = await startServer(options)
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}

/** Keeps how something is given back. */
export type Defer = (release: () => unknown) => void

/** For several at once: `hold` keeps how each is given back, the last one first. */
export async function holding<T>(use: (hold: Defer) => Promise<T>): Promise<T> {
  const held: (() => unknown)[] = []
  try {
    return await use((release) => void held.push(release))
  } finally {
    for (const release of held.toReversed()) await release()
  }
}
