// The client of the hot delivery benchmark: wrk where it is installed, since a client in Node is
// slower than the servers.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { p99Of } from './figures.ts'
import { getRequest, load, resultWithStatus } from './load.ts'

export interface HotResult {
  items: number
  tookMs: number
  /** 99th percentile of the response times. */
  p99Ms: number
}

export interface HotRequestOptions {
  url: string
  /** Requested in rotation. */
  paths: readonly string[]
  /** Header lines such as 'if-none-match: "x"'. */
  headers?: readonly string[]
  /** Any other status fails the run. */
  status: 200 | 304
  /** Average size of a response body over all paths; 0 for 304. */
  bodyBytes: number
  connections: number
  forMs: number
  /** The core to pin the client to, if there are two. */
  core: number | undefined
}

export const hasWrk = ['/usr/bin/wrk', '/usr/local/bin/wrk'].some((path) => existsSync(path))

/** @throws on responses of another status */
export const sendHotRequests = (options: HotRequestOptions): Promise<HotResult> =>
  hasWrk ? runWithWrk(options) : runWithNode(options)

async function runWithNode({ url, paths, headers, status, connections, forMs }: HotRequestOptions): Promise<HotResult> {
  const requests = paths.map((path) => getRequest(url, path, headers))
  const request = (n: number) => requests[n % requests.length] ?? Buffer.alloc(0)
  const {
    items,
    tookMs,
    times = [],
    refused,
  } = resultWithStatus(status, await load(url, { connections, forMs, request }))
  if (refused) throw new Error(`${refused} responses were 503`)
  return { items, tookMs, p99Ms: p99Of(times) }
}

async function runWithWrk(options: HotRequestOptions): Promise<HotResult> {
  const { url, paths, headers = [], connections, forMs, core } = options
  const folder = await mkdtemp(join(tmpdir(), 'image-host-wrk-'))
  try {
    const script = join(folder, 'script.lua')
    const list = join(folder, 'paths')
    await writeFile(script, lua(list))
    await writeFile(list, `${paths.join('\n')}\n`)
    const seconds = Math.max(1, Math.round(forMs / 1000))
    const wrk = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, ...headers.flatMap((line) => ['-H', line])]
    const [command = '', ...args] = core === undefined ? wrk : ['taskset', '-c', String(core), ...wrk]
    const { stdout } = await run(command, [...args, '-s', script, url])
    return parse(stdout, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const run = promisify(execFile)
/** Response heads of the product are the longest, about 700 bytes. */
const maxHeadBytes = 2_000

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
 * Converts microseconds to milliseconds. wrk counts errors only for statuses from 400 on; the
 * number of bytes shows whether bodies arrived. Checking each response in Lua would make wrk slower
 * than nginx.
 */
function parse(stdout: string, { bodyBytes, connections }: HotRequestOptions): HotResult {
  const [, ...numbers] = /^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(stdout) ?? []
  const [items = 0, tookUs = 0, p99Us = 0, wrong = 1, bytes = 0] = numbers.map(Number)
  const minBytes = items * bodyBytes
  // Responses in flight at the end are counted, too.
  const maxBytes = items * (bodyBytes + maxHeadBytes) + connections * bodyBytes
  if (wrong > 0 || items === 0 || bytes < minBytes || bytes > maxBytes)
    throw new Error(`${wrong} of ${items} responses were wrong, or their ${bytes} bytes:\n${stdout}`)
  return { items, tookMs: tookUs / 1000, p99Ms: p99Us / 1000 }
}
