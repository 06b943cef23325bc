// Resources of a benchmark: folders and servers. Released in any case, also when the process is
// terminated.
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from '../e2e/at-exit.ts'
import { type RunningServer, startServer } from '../e2e/server.ts'

/** Runs `use` with an empty temporary folder and removes it. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'image-host-bench-'))
  // Servers may still be shutting down: the removal is retried for what they write.
  const cancelAtExit = atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
    cancelAtExit()
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

/** Registers a release function. */
export type Defer = (release: () => unknown) => void

/** Runs `use` and then all functions registered by `defer`, in reverse order. */
export async function withDeferred<T>(use: (defer: Defer) => Promise<T>): Promise<T> {
  const releases: (() => unknown)[] = []
  try {
    return await use((release) => void releases.push(release))
  } finally {
    for (const release of releases.toReversed()) await release()
  }
}
