// Reading files of known length: what comes of them, and that a slow disk lets nobody else wait twice.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAt } from './read-at.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-at-'))
})
afterAll(() => rm(folder, { recursive: true }))

const kB = 1024
const sizes = [0, 1, 20 * kB, 256 * kB, 256 * kB + 1]

describe.each(sizes)('a file of %i bytes', (size) => {
  const bytes = Buffer.alloc(size, 'abcdefg')
  let path: string
  beforeAll(async () => {
    path = join(folder, `file-${size}`)
    await writeFile(path, bytes)
  })

  it('is read whole, from a place in it, and up to its end', async () => {
    expect((await readAt(path, 0, size)).equals(bytes)).toBe(true)
    expect((await readAt(path, 1, size)).equals(bytes.subarray(1))).toBe(true)
    expect((await readAt(path, 0, size + 1)).equals(bytes)).toBe(true)
    expect(await readAt(path, size + 5, 10)).toHaveLength(0)
  })

  it('fails by the name of what is wrong', async () => {
    await expect(readAt(`${path}-missing`, 0, size)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(readAt(folder, 0, size + 1)).rejects.toMatchObject({ code: 'EISDIR' })
  })
})

describe('a disk that is slow', () => {
  /** A pipe stands for it: to open one takes until somebody opens its other end. It cannot be read from a place: ESPIPE. */
  const openOtherEnd = (path: string, afterS: number) => spawn('sh', ['-c', `sleep ${afterS}; : > "$0"`, path])

  it('is asked by another thread from then on', async () => {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    openOtherEnd(path, 0.1)
    await expect(readAt(path, 0, 10)).rejects.toMatchObject({ code: 'ESPIPE' })

    const startedAt = performance.now()
    const other = openOtherEnd(path, 1)
    const second = readAt(path, 0, 10)
    expect(performance.now() - startedAt).toBeLessThan(900)
    await expect(second).rejects.toMatchObject({ code: 'ESPIPE' })
    other.kill()
  })
})
