import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeFolders } from './make-folders.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-folders-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('folders are created with their parents, and an existing one is left alone', async () => {
  const path = join(folder, 'a', 'b', 'c')
  expect(await makeFolders(path, 0o700)).toBe(join(folder, 'a'))
  expect((await stat(path)).mode & 0o777).toBe(0o700)
  expect(await makeFolders(path)).toBeUndefined()
})

it('a folder that several create at the same time is created once, for all of them', async () => {
  const path = join(folder, 'd', 'e')
  await Promise.all(Array.from({ length: 10 }, () => makeFolders(path)))
  expect((await stat(path)).isDirectory()).toBe(true)
})

it('a file in the way is named', async () => {
  const path = join(folder, 'file')
  await writeFile(path, '')
  await expect(makeFolders(path)).rejects.toMatchObject({ code: 'EEXIST', path })
  await expect(makeFolders(join(path, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR', path: join(path, 'below') })
})

it.runIf(process.platform === 'linux')('a file system that takes no folder ends the attempt', async () => {
  await expect(makeFolders('/proc/image-host/data')).rejects.toMatchObject({ code: 'ENOENT', path: '/proc/image-host' })
})
