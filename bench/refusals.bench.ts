// Measures what a refused request costs the server, whatever its body.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { bearer, register, requestJson } from '../faults/client.ts'
import type { Form, Benchmark, Row } from './benchmark.ts'
import { sampleUsage } from './processes.ts'
import { withServer } from '../faults/resources.ts'

const counts = { short: 10, full: 1000 } as const
/** Of the server, for each. */
const maxCpuMs = 2
/** The slowest to parse and search of the bodies that have been tried: many small values. */
const values = (count: number) => JSON.stringify(Array.from({ length: count }, (_, n) => n % 10))

export const benchmark: Benchmark = {
  title: 'CPU time of the server for a refused request',
  run: (form) =>
    withServer({}, async ({ url, pid }) => {
      const token = await register(url, 'bench@example.com')
      const keyFor = async (scope: string) => {
        const body = { name: scope, scopes: [scope] }
        return (await requestJson<{ key: string }>(`${url}/api/api-keys`, { body, token })).key
      }
      const [megabyte, small] = [values(500_000), values(30_000)]
      const [upload, read] = [await keyFor('upload'), await keyFor('read')]
      const rows: Row[] = []
      for (const refused of [
        { what: '/mcp without a login, 1 MB', path: '/mcp', body: megabyte, status: 401 },
        { what: '/mcp, a batch of 60 kB', path: '/mcp', body: small, status: 400, token: upload },
        { what: '/mcp by a key without upload, 1 MB', path: '/mcp', body: megabyte, status: 403, token: read },
        { what: 'an unknown path, 1 MB', path: '/nothing', body: megabyte, status: 404 },
        { what: 'a login, 1 MB', path: '/api/login', body: megabyte, status: 413 },
        { what: 'a login, 60 kB', path: '/api/login', body: small, status: 400 },
        { what: 'an admin request by a user, 1 MB', path: '/api/users', body: megabyte, status: 403, token },
        { what: 'an upload with a wrong token, 1 MB', path: '/api/upload', body: megabyte, status: 401, token: 'x' },
      ])
        rows.push(await measure({ url, pid }, form, refused))
      return [{ rows }]
    }),
}

interface Refused {
  what: string
  path: string
  body: string
  status: number
  token?: string
}

async function measure({ url, pid }: { url: string; pid: number }, form: Form, refused: Refused): Promise<Row> {
  const { what, path, body, status, token } = refused
  const send = async () => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length, ...(token && bearer(token)) }
    const sent = request(url + path, { method: 'POST', headers })
    // The server may close the connection before it has read the body.
    sent.on('error', () => {})
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    if (response.statusCode !== status) throw new Error(`${what}: ${response.statusCode}`)
    if (!response.complete) await once(response, 'close')
  }
  for (let n = 0; n < counts.short; n++) await send()
  const usage = sampleUsage(pid)
  for (let n = 0; n < counts[form]; n++) await send()
  const { cpuMs } = usage.stop()
  return { what, unit: 'ms', median: cpuMs / counts[form], goal: { atMost: maxCpuMs } }
}
