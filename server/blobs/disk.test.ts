// Tests of the disk store only; the suite of the port is blob-store.test.ts.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDiskStore } from './disk.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-disk-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('lists only its keys, not other files in its folder', async () => {
  const store = await openDiskStore(join(folder, 'strangers'))
  await writeFile(join(folder, 'incoming'), 'bytes')
  await store.put('abcdef', join(folder, 'incoming'))
  await writeFile(join(folder, 'strangers', '.DS_Store'), '')
  await writeFile(join(folder, 'strangers', 'README'), '')
  await writeFile(join(folder, 'strangers', 'ab', '.DS_Store'), '')
  await mkdir(join(folder, 'strangers', 'ab', 'abfolder'))
  const keys: string[] = []
  for await (const { key } of store.list()) keys.push(key)
  expect(keys).toEqual(['abcdef'])
})

it('streams an opened file, also when it is deleted before the first read', async () => {
  const store = await openDiskStore(join(folder, 'deleted'))
  const bytes = Buffer.alloc(2 * 1024 * 1024, 'x')
  await writeFile(join(folder, 'incoming'), bytes)
  await store.put('abcdef', join(folder, 'incoming'))
  const stream = (await store.read('abcdef')) as Readable
  await store.delete('abcdef')
  expect((await buffer(stream)).equals(bytes)).toBe(true)
})
