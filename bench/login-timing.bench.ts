// Measures whether the time of a response reveals which accounts exist: known and unknown addresses, over HTTP, of failed
// logins, and of registrations and lost passwords where mail is sent.
import { withFolder, withServer } from '../faults/resources.ts'
import { requestJson } from '../faults/client.ts'
import { alternate } from './alternate-rounds.ts'
import { timesRow } from './statistics.ts'
import type { Form, Benchmark, Row, Table } from './benchmark.ts'

/** With 20 rounds before them, at most three per account: a limit of mails to an address. */
const shape = { short: { accounts: 10, rounds: 8 }, full: { accounts: 1000, rounds: 2000 } } as const
/** Goal of faults/README.md: the medians of known and unknown accounts. */
const maxDifferenceMs = 5

const password = 'secret-1'
const ways = [
  { title: 'logins with a wrong password', path: '/api/login', password: 'wrong-1', status: 401 },
  { title: 'registrations', path: '/api/register', password, status: 201 },
  { title: 'lost passwords', path: '/api/password-reset', password: undefined, status: 200 },
]
type Way = (typeof ways)[number]

export const benchmark: Benchmark = {
  title: 'logins, registrations and lost passwords of known and unknown accounts',
  run: (form) =>
    withFolder(async (dataDir) => {
      await withServer({ env: { TRUST_PROXY: '1' }, dataDir }, ({ url }) => createAccounts(url, shape[form].accounts))
      return withServer({ env: { TRUST_PROXY: '1', ...mail }, dataDir }, async ({ url }) => {
        const tables: Table[] = []
        for (const way of ways) tables.push({ title: way.title, rows: await measure(form, url, way) })
        return tables
      })
    }),
}

/** Without mail, accounts are created at once; the mail server of the measurement does not exist. */
const mail = { SMTP_URL: 'smtp://127.0.0.1:9', SUPPORT_EMAIL: 'help@example.com', PUBLIC_URL: 'http://127.0.0.1' }

/** Each way has accounts of its own, because they share limits. */
async function createAccounts(url: string, count: number): Promise<void> {
  for (const [at, { path }] of ways.entries()) {
    for (let n = 0; n < count; n++) {
      const body = { email: emailOf('known', path, n), password }
      await requestJson(`${url}/api/register`, { body, headers: addressOf(at * count + n), expected: 201 })
    }
  }
}

/** Rotates through the accounts, with a client address per attempt so that none is throttled. */
async function measure(form: Form, url: string, { path, password: given, status }: Way): Promise<Row[]> {
  const { accounts, rounds } = shape[form]
  let tries = 0
  const attempt = (kind: string) => async () => {
    const n = tries++
    // Known and unknown attempts alternate: each uses every account.
    const email = emailOf(kind, path, Math.floor(n / 2) % accounts)
    const body = given === undefined ? { email } : { email, password: given }
    await requestJson(url + path, { body, headers: addressOf(n), expected: status })
  }
  const kinds = ['known', 'unknown']
  const times = await alternate(kinds.map(attempt), rounds)
  const rows = kinds.map((kind, n) => timesRow(kind, times[n] ?? []))
  const difference = Math.abs((rows[0]?.median ?? 0) - (rows[1]?.median ?? 0))
  return [
    ...rows,
    { what: 'difference of the medians', unit: 'ms', median: difference, goal: { atMost: maxDifferenceMs } },
  ]
}

const emailOf = (kind: string, path: string, n: number) => `${kind}-${path.split('/')[2]}-${n}@example.com`
const addressOf = (n: number) => ({ 'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` })
