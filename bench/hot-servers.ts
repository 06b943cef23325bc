// The servers of the hot delivery benchmark on one core: nginx, the product, with and without logs,
// and bare node:http.
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Defer } from '../faults/resources.ts'
import { startServer } from '../e2e/server.ts'
import { nginxPath, startNginx, startProgram } from './other-servers.ts'
import type { HotFixture } from './hot-fixture.ts'
import { pinAll } from './one-core.ts'

export interface HotServer {
  what: string
  /** Bare node:http serves from memory, or reads each file from the disk. */
  kind: 'product' | 'nginx' | 'memory' | 'disk'
  logs: boolean
  url: string
  pid: number
}

export interface HotServers {
  all: HotServer[]
  /** The servers share one core and the client has another. */
  isPinned: boolean
}

/** @param defer receives the stop function of each server */
export async function startAll(
  folder: string,
  { dataDir, folder: files }: HotFixture,
  defer: Defer,
): Promise<HotServers> {
  const all: HotServer[] = []
  if (nginxPath !== undefined) {
    await mkdir(join(folder, 'nginx'))
    const { url, loggingUrl, pid, stop } = await startNginx(files, join(folder, 'nginx'))
    defer(stop)
    const nginx = { kind: 'nginx', pid } as const
    all.push({ ...nginx, what: 'nginx, access log', logs: true, url: loggingUrl })
    all.push({ ...nginx, what: 'nginx, no log', logs: false, url })
  }
  // Two servers must not share a SQLite file.
  const copy = join(folder, 'copy')
  await cp(dataDir, copy, { recursive: true, filter: (path) => !/\.sqlite-(shm|wal)$/.test(path) })
  for (const logs of [true, false]) {
    const logTo = join(folder, logs ? 'log' : 'warnings')
    const env = { LOG_LEVEL: logs ? 'info' : 'warn' }
    const { url, pid, stop } = await startServer({ dataDir: logs ? dataDir : copy, env, logTo })
    defer(stop)
    all.push({ what: logs ? 'Image Host' : 'Image Host, LOG_LEVEL=warn', kind: 'product', logs, url, pid })
  }
  for (const from of ['memory', 'disk'] as const) {
    const { url, pid, stop } = await startProgram('bare-server.mjs', from, files)
    defer(stop)
    all.push({ what: `node:http from ${from}, no log`, kind: from, logs: false, url, pid })
  }
  return { all, isPinned: pinAll(all.map(({ pid }) => pid)) }
}
