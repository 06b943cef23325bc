// The client of the hot delivery benchmark: wrk, since a client in Node is slower than the servers.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withFolder } from '../faults/resources.ts'
import type { Round } from './statistics.ts'

export interface HotRequests {
  url: string
  /** Requested in rotation. */
  paths: readonly string[]
  /** Size of each response body. */
  bytes: number
  /** Sends the etag of the first response, for 304. */
  isUnchanged?: boolean
}

/** With the 99th percentile of the response times. */
export type HotRound = Round & { p99Ms: number }

export const connections = 50
export const hasWrk = ['/usr/bin/wrk', '/usr/local/bin/wrk'].some((path) => existsSync(path))

const run = promisify(execFile)
/** Response heads of the product are the longest, about 700 bytes. */
const maxHeadBytes = 2_000

/**
 * Sends requests from one core for some seconds.
 * @throws if a response is not the expected one
 */
export async function sendHotRequests(requests: HotRequests, core: number, forMs: number): Promise<HotRound> {
  const { url, paths, bytes, isUnchanged } = requests
  const first = await fetch(url + (paths[0] ?? ''))
  const found = (await first.arrayBuffer()).byteLength
  if (first.status !== 200 || found !== bytes)
    throw new Error(`${url}${paths[0]}: ${first.status} with ${found} bytes, not ${bytes}`)
  const headers = isUnchanged ? ['-H', `if-none-match: ${first.headers.get('etag')}`] : []
  return withFolder(async (folder) => {
    const [script, list] = [join(folder, 'script.lua'), join(folder, 'paths')]
    await writeFile(script, lua(list))
    await writeFile(list, `${paths.join('\n')}\n`)
    const options = ['-t1', `-c${connections}`, `-d${forMs / 1000}s`, ...headers, '-s', script, url]
    const { stdout } = await run('taskset', ['-c', String(core), 'wrk', ...options])
    return parse(stdout, isUnchanged ? 0 : bytes)
  })
}

/** Requests are prepared at startup, so that 10,000 paths cost the client no more than one. */
const lua = (list: string) => `
local requests, n = {}, 0
function init()
  for path in io.lines('${list}') do requests[#requests + 1] = wrk.format('GET', path) end
end
function request()
  n = n % #requests + 1
  return requests[n]
end
function done(summary, latency)
  local errors = summary.errors
  local wrong = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  print(string.format('RESULT %d %d %d %d %d',
    summary.requests, summary.duration, latency:percentile(99), wrong, summary.bytes))
end`

/**
 * Converts microseconds to milliseconds. wrk counts errors only for statuses from 400 on; the number of bytes shows whether
 * bodies arrived. Checking each response in Lua would make wrk slower than the servers.
 */
function parse(stdout: string, bodyBytes: number): HotRound {
  const [, ...numbers] = /^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(stdout) ?? []
  const [items = 0, tookUs = 0, p99Us = 0, wrong = 1, bytes = 0] = numbers.map(Number)
  // Responses in flight at the end are counted, too.
  const maxBytes = items * (bodyBytes + maxHeadBytes) + connections * bodyBytes
  if (wrong > 0 || items === 0 || bytes < items * bodyBytes || bytes > maxBytes)
    throw new Error(`${wrong} of ${items} responses were wrong, or their ${bytes} bytes:\n${stdout}`)
  return { items, tookMs: tookUs / 1000, p99Ms: p99Us / 1000 }
}
