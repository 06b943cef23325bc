// Which resumable uploads end when there are too many, and what remains of them on the disk.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import type { Failure } from '../shared/failure.ts'
import type { UploadRecord, UploadRecords } from '../shared/ports.ts'
import { openUploadRecords } from './resumable-records.ts'
import { createUploadsInFlight } from './uploads-in-flight.ts'

const { maxOfAddress, idleMs } = limits.resumable
let folder: string
let records: UploadRecords
let uploadsInFlight: ReturnType<typeof createUploadsInFlight>
let now: number
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'records-'))
  uploadsInFlight = createUploadsInFlight()
  now = 1_000_000
  await open(limits.resumable.maxOfAll)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function open(maxOfAll: number): Promise<void> {
  const log = pino({ level: 'silent' })
  records = openUploadRecords({ folder, uploadsInFlight, now: () => now, log, maxOfAll })
  await records.load()
}

/** Adds an upload with bytes, which is in use until the returned function is called. */
async function begin(id: string, given: Partial<UploadRecord> = {}): Promise<() => Promise<void>> {
  const common = { owner: null, address: '198.51.100.1', bytes: 100, metadata: {}, isStored: false }
  const record: UploadRecord = { id, key: `key of ${id}`, createdAt: now, ...common, ...given }
  const endUse = await records.add(record, uploadsInFlight.add(record.owner, record.bytes))
  await writeFile(join(folder, id), 'bytes')
  return endUse
}

async function add(id: string, given?: Partial<UploadRecord>): Promise<void> {
  await (
    await begin(id, given)
  )()
}

const left = (ids: string[]) => ids.filter((id) => records.find(id) !== undefined)

it('an upload that is being received ends for no other', async () => {
  const endUse = await begin('first')
  for (let n = 1; n < maxOfAddress; n++) await add(`later${n}`)
  // All are between two requests of their clients.
  await expect(begin('more')).rejects.toMatchObject({ code: 'busy' } satisfies Partial<Failure>)
  now += idleMs
  await add('more')
  expect(left(['first', 'later1', 'later2', 'more'])).toEqual(['first', 'later2', 'more'])
  await endUse()
})

it('the most of an address holds for starts at the same time', async () => {
  await Promise.all(Array.from({ length: maxOfAddress }, (_, n) => add(`old${n}`)))
  now += idleMs
  const started = await Promise.all(Array.from({ length: 5 }, (_, n) => begin(`new${n}`)))
  expect(uploadsInFlight.total().images).toBe(maxOfAddress)
  for (let n = 5; n < maxOfAddress; n++) started.push(await begin(`new${n}`))
  await expect(begin('more')).rejects.toMatchObject({ code: 'busy' } satisfies Partial<Failure>)
  for (const endUse of started) await endUse()
})

it('where a server has too many, a finished one ends, then one of whoever has most', async () => {
  await open(5)
  await add('account', { owner: 'ada' })
  await add('phone', { address: '203.0.113.7' })
  await add('site1', { address: '2001:db8:1:1::/64' })
  await add('site2', { address: '2001:db8:1:2::/64' })
  await add('finished')
  await records.setStored('finished')
  const ids = ['account', 'phone', 'site1', 'site2', 'finished']
  for (const [id, kept] of [
    ['bob1', ['account', 'phone', 'site1', 'site2']],
    ['bob2', ['account', 'phone', 'site2']],
    ['bob3', ['account', 'phone', 'site2']],
  ] as const) {
    now += idleMs
    await add(id, { owner: 'bob' })
    expect([id, left(ids)]).toEqual([id, kept])
  }
})

it('no upload ends that received bytes within a minute, however many others start', async () => {
  await open(2)
  await add('first')
  await add('second', { owner: 'ada' })
  now += idleMs
  await records.use('first', () => writeFile(join(folder, 'first'), 'more bytes'))
  // Without bytes it is no use.
  await records.use('second', async () => {})
  await add('third', { owner: 'bob' })
  expect(left(['first', 'second', 'third'])).toEqual(['first', 'third'])
  await expect(begin('fourth')).rejects.toMatchObject({ code: 'busy' } satisfies Partial<Failure>)
})

it('an upload that ends in use keeps its files and space until then, and leaves nothing', async () => {
  await add('one')
  await records.use('one', async () => {
    await records.remove('one')
    expect(records.find('one')).toBeUndefined()
    expect(await readdir(folder)).toEqual(['one', 'one.json'])
    expect(uploadsInFlight.total().bytes).toBe(100)
  })
  expect(await readdir(folder)).toEqual([])
  expect(uploadsInFlight.total()).toEqual({ images: 0, bytes: 0 })
})

it('the sweep of a new instance, whose folder is not there yet, has nothing to do', async () => {
  await rm(folder, { recursive: true })
  expect(await records.sweep(now)).toBe(0)
})

it('files without an upload are deleted with those that are over', async () => {
  await add('kept')
  await add('stored')
  await records.setStored('stored')
  for (const name of ['orphan', 'orphan.json', 'other.json.new', 'stored']) await writeFile(join(folder, name), 'x')
  expect(await records.sweep(now)).toBe(0)
  expect((await readdir(folder)).toSorted()).toEqual(['kept', 'kept.json', 'stored.json'])
})
