// The client of hot delivery: wrk where it is installed, since a client in Node is slower than the servers it asks.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { p99Of } from './figures.ts'
import { getRequest, load, only } from './load.ts'

export interface WrkResult {
  items: number
  tookMs: number
  /** The 99th percentile of the answers' times. */
  p99Ms: number
}

export interface WrkOptions {
  url: string
  /** WrkResult one after the other, from the beginning again at the end. */
  paths: readonly string[]
  /** Lines such as 'if-none-match: "x"'. */
  headers?: readonly string[]
  /** Whatever else comes fails the run. */
  status: 200 | 304
  /** Of one answer, on the average of the paths; of 304 none. */
  bodyBytes: number
  connections: number
  forMs: number
  /** The core to stay on, where there are two. */
  core: number | undefined
}

export const hasWrk = ['/usr/bin/wrk', '/usr/local/bin/wrk'].some((path) => existsSync(path))

/** @throws when answers of another status come */
export const ask = (question: WrkOptions): Promise<WrkResult> => (hasWrk ? runWithWrk(question) : runWithNode(question))

async function runWithNode({ url, paths, headers, status, connections, forMs }: WrkOptions): Promise<WrkResult> {
  const requests = paths.map((path) => getRequest(url, path, headers))
  const request = (n: number) => requests[n % requests.length] ?? Buffer.alloc(0)
  const { items, tookMs, times = [], refused } = only(status, await load(url, { connections, forMs, request }))
  if (refused) throw new Error(`${refused} answers were 503`)
  return { items, tookMs, p99Ms: p99Of(times) }
}

async function runWithWrk(question: WrkOptions): Promise<WrkResult> {
  const { url, paths, headers = [], connections, forMs, core } = question
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
    return parse(stdout, question)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const run = promisify(execFile)
/** Ours are the longest, some 700. */
const mostHeadBytes = 2_000

/** Requests are made beforehand: with 10,000 addresses the client has no more to do than with one. */
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
 * Microseconds in, milliseconds out. wrk counts statuses from 400 on; whether bodies came, their bytes tell: to look at each
 * answer would make it slower than nginx.
 */
function parse(stdout: string, { bodyBytes, connections }: WrkOptions): WrkResult {
  const [, ...numbers] = /^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(stdout) ?? []
  const [items = 0, tookUs = 0, p99Us = 0, wrong = 1, bytes = 0] = numbers.map(Number)
  const least = items * bodyBytes
  // What was under way at the end is counted, too.
  const most = items * (bodyBytes + mostHeadBytes) + connections * bodyBytes
  if (wrong > 0 || items === 0 || bytes < least || bytes > most)
    throw new Error(`${wrong} of ${items} answers were wrong, or their ${bytes} bytes:\n${stdout}`)
  return { items, tookMs: tookUs / 1000, p99Ms: p99Us / 1000 }
}
