// Another process holds SQLite's write lock: reads continue, writes wait or are refused, and nothing is stored twice.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '../../e2e/server.ts'
import { call, imageIn, type CallResponse, originalAt } from '../client.ts'
import type { Acknowledged, Ledger } from '../ledger.ts'
import { refusalViolation } from '../failure-response.ts'
import { sqliteFileIn, withSqliteFile } from '../sqlite-file.ts'

export interface LockSetup {
  server: RunningServer
  token: string
  ledger: Ledger
  images: Buffer[]
}

export interface LockResult {
  refused: number
  /** Reads completed while it was held. */
  reads: number
  slowestReadMs: number
  violations: string[]
}

const writesAtOnce = 4

/** How long the lock is held: a time; until some images were read; or until all waiting requests are refused. */
export type HoldDuration = number | { untilReads: number } | 'until refused'

export async function holdLock(locked: LockSetup, hold: HoldDuration): Promise<LockResult> {
  const { server } = locked
  const deletable = await Promise.all(Array.from({ length: writesAtOnce }, () => signedUpload(locked, 0)))
  const readable = imageIn((await signedUpload(locked, 1)).reply)
  return withSqliteFile(sqliteFileIn(server.dataDir), async (other) => {
    other.exec('BEGIN IMMEDIATE')
    const uploads = Array.from({ length: writesAtOnce }, (_, n) => signedUpload(locked, n))
    const deletes = deletable.map(({ reply }) => deletion(locked, imageIn(reply).id))
    const written = Promise.all([...uploads, ...deletes])
    const read = await readUntil(server, readable, endOf(hold, written))
    other.exec('COMMIT')
    return resultOf(locked, { uploads: await Promise.all(uploads), deletes: await Promise.all(deletes) }, read)
  })
}

function endOf(hold: HoldDuration, written: Promise<unknown>): Promise<unknown> | number {
  if (hold === 'until refused') return written
  return typeof hold === 'number' ? sleep(hold) : hold.untilReads
}

interface Attempt {
  key: string
  picture: Buffer
  reply: CallResponse
}

async function signedUpload(
  { server, token, images, ledger }: LockSetup,
  n: number,
  again?: Attempt,
): Promise<Attempt> {
  const picture = again?.picture ?? images[n % images.length] ?? Buffer.alloc(0)
  const key = again?.key ?? crypto.randomUUID()
  const reply = await ledger.upload(server.url, picture, { token, headers: { 'idempotency-key': key } })
  return { key, picture, reply }
}

async function deletion(
  { server, token, ledger }: LockSetup,
  id: string,
): Promise<{ id: string; reply: CallResponse }> {
  const one = ledger.acknowledged.find(({ image }) => image.id === id) as Acknowledged
  const send = () => call(`${server.url}/api/images/${id}`, { method: 'DELETE', token })
  return { id, reply: await ledger.delete(one, send) }
}

/** Reads images one after the other until the condition holds or the number is reached. */
async function readUntil({ url }: RunningServer, image: Acknowledged['image'], end: Promise<unknown> | number) {
  const addresses = [originalAt(url, image), `${url}/api/thumbnail/${image.id}/400`, `${url}/api/limits`]
  const found = { reads: 0, slowestReadMs: 0, violations: [] as string[] }
  let hasEnded = false
  if (typeof end !== 'number') void end.finally(() => (hasEnded = true))
  while (!hasEnded && (typeof end !== 'number' || found.reads < end)) {
    const address = addresses[found.reads % addresses.length] as string
    const { status, tookMs } = await call(address)
    if (status !== 200) found.violations.push(`read: ${status}`)
    found.slowestReadMs = Math.max(found.slowestReadMs, tookMs)
    if (!hasEnded) found.reads++
    await sleep(5)
  }
  return found
}

interface Written {
  uploads: Attempt[]
  deletes: { id: string; reply: CallResponse }[]
}

/** Repeats the refused requests without the lock: the result must be as if each had been sent once. */
async function resultOf(
  locked: LockSetup,
  { uploads, deletes }: Written,
  read: Omit<LockResult, 'refused'>,
): Promise<LockResult> {
  const refused = [...uploads, ...deletes].map(({ reply }) => reply).filter(({ status }) => status >= 300)
  const violations = [...read.violations, ...refused.flatMap((reply) => refusalViolation(reply) ?? [])]
  for (const attempt of uploads) {
    const again = await signedUpload(locked, 0, attempt)
    if (again.reply.status !== 201 && again.reply.status !== 200) violations.push(`upload again: ${again.reply.status}`)
    else if (attempt.reply.status === 201 && imageIn(attempt.reply).id !== imageIn(again.reply).id)
      violations.push('an upload was doubled')
  }
  for (const { id, reply } of deletes) {
    const again = await deletion(locked, id)
    const wanted = reply.status === 200 ? 410 : 200
    if (again.reply.status !== wanted) violations.push(`a deletion got ${reply.status}, again: ${again.reply.status}`)
  }
  return { ...read, refused: refused.length, violations }
}
