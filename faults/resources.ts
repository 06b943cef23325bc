// Folders and servers of a scenario or a benchmark. Released in any case, also when the process is terminated.
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from '../e2e/at-exit.ts'
import { type RunningServer, startServer } from '../e2e/server.ts'

type ServerOptions = NonNullable<Parameters<typeof startServer>[0]>

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

/** An empty temporary folder. */
export async function openFolder(defer: Defer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'image-host-harness-'))
  // Servers may still be shutting down: the removal is retried for what they write.
  const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }
  const cancelAtExit = atExit(() => rmSync(folder, removal))
  defer(async () => {
    await rm(folder, removal)
    cancelAtExit()
  })
  return folder
}

/** Starts a server on its own folder, or the given one. It is killed at the end, unless it was stopped. */
export async function openServer(defer: Defer, options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ ...options, dataDir: options.dataDir ?? (await openFolder(defer)) })
  defer(server.kill)
  return server
}

/** Runs `use` with an empty temporary folder and removes it. */
export const withFolder = <T>(use: (folder: string) => Promise<T>): Promise<T> =>
  withDeferred(async (defer) => use(await openFolder(defer)))

/** Runs `use` with a server and stops it. */
export async function withServer<T>(options: ServerOptions, use: (server: RunningServer) => Promise<T>): Promise<T> {
  const server = await startServer(options)
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}
