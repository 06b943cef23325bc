// Reads of known length, and that a slow disk blocks the event loop once only.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readRange } from './read-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-file-'))
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

  it('is read whole, from an offset, and up to its end', async () => {
    expect((await readRange(path, 0, size)).equals(bytes)).toBe(true)
    expect((await readRange(path, 1, size)).equals(bytes.subarray(1))).toBe(true)
    expect((await readRange(path, 0, size + 1)).equals(bytes)).toBe(true)
    expect(await readRange(path, size + 5, 10)).toHaveLength(0)
  })

  it('fails with the system’s error code', async () => {
    await expect(readRange(`${path}-missing`, 0, size)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(readRange(folder, 0, size + 1)).rejects.toMatchObject({ code: 'EISDIR' })
  })
})

describe('a slow disk', () => {
  it('is read by the thread pool after the first slow read', async () => {
    const [file, path] = [join(folder, 'slow'), join(folder, 'pipe')]
    await writeFile(file, 'abc')
    execFileSync('mkfifo', [path])
    const nowMs = performance.now()
    let calls = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs + 10 * calls++)
    try {
      await readRange(file, 0, 3)
      clock.mockReturnValue(nowMs)
      // Opening a pipe blocks until its other end is opened, here after the call has returned. While a call blocks, it waits
      // 20 s and then gives up. A positioned read of a pipe fails: ESPIPE.
      const [returned, gaveUp] = [join(folder, 'returned'), join(folder, 'gave-up')]
      const script =
        'n=0; until [ -e "$1" ]; do n=$((n+1)); [ $n = 400 ] && touch "$2" "$1"; sleep 0.05; done; : > "$0"'
      spawn('sh', ['-c', script, path, returned, gaveUp])
      const second = readRange(path, 0, 10)
      await writeFile(returned, '')
      await expect(second).rejects.toMatchObject({ code: 'ESPIPE' })
      expect(existsSync(gaveUp)).toBe(false)
    } finally {
      clock.mockRestore()
    }
  })
})
