// Whether the time of a login tells who has an account: known and unknown addresses with a wrong password, over HTTP.
import { startServer } from '../e2e/server.ts'
import { at, inTurns } from './times.ts'

const rounds = 2000
/** Security rules section 5: medians of known and unknown accounts. */
const maxDifferenceMs = 5
/** Accounts that are tried in turn, and a client address for each try: the throttle is another's concern. */
const accounts = 400

export async function run(): Promise<void> {
  const server = await startServer({ env: { TRUST_PROXY: '1' } })
  try {
    for (let n = 0; n < accounts; n++) {
      const status = await post(server.url, '/api/register', { email: known(n), password: 'secret-1' }, addressOf(n))
      if (status !== 201) throw new Error(`The registration answered ${status}`)
    }
    let tries = 0
    const attempt = (email: (n: number) => string) => async () => {
      const n = tries++
      // Two kinds in turns: each meets each account.
      const body = { email: email(Math.floor(n / 2) % accounts), password: 'wrong-1' }
      const status = await post(server.url, '/api/login', body, addressOf(n))
      if (status !== 401) throw new Error(`The login answered ${status}`)
    }
    const times = await inTurns([attempt(known), attempt(unknown)], rounds)
    const medians = times.map((all) => at(all, 0.5))
    const difference = Math.abs((medians[0] ?? 0) - (medians[1] ?? 0))
    console.log(`\n## Logins with a wrong password: ms, n = ${rounds} each`)
    console.log('| account | median | p99 |\n|---|---|---|')
    for (const [n, name] of ['known', 'unknown'].entries())
      console.log(`| ${name} | ${medians[n]?.toFixed(2)} | ${at(times[n] ?? [], 0.99).toFixed(2)} |`)
    const verdict = difference <= maxDifferenceMs ? 'holds' : 'MISSED'
    console.log(`Difference of the medians: ${difference.toFixed(2)} ms, at most ${maxDifferenceMs} ms: ${verdict}`)
    if (verdict === 'MISSED') process.exitCode = 1
  } finally {
    await server.stop()
  }
}

const known = (n: number) => `known-${n}@example.com`
const unknown = (n: number) => `nobody-${n}@example.com`
const addressOf = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

async function post(url: string, path: string, body: object, address: string): Promise<number> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}
