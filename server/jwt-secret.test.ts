import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { loadJwtSecret } from './jwt-secret.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-secret-'))
})
afterEach(() => rm(folder, { recursive: true }))

const load = () => loadJwtSecret(readConfig({ DATA_DIR: folder }))

describe('loadJwtSecret', () => {
  it('makes a secret once, for its owner only', async () => {
    const made = await load()
    expect(made).toHaveLength(32)
    expect(await load()).toEqual(made)
    expect((await stat(join(folder, 'jwt-secret'))).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['jwt-secret'])
  })

  it('starts anew after a crash in the middle of writing it', async () => {
    await writeFile(join(folder, 'jwt-secret.part'), 'hal', { mode: 0o644 })
    await load()
    expect((await readFile(join(folder, 'jwt-secret'), 'utf8')).trim()).toMatch(/^[\w-]{43}$/)
    expect((await stat(join(folder, 'jwt-secret'))).mode & 0o777).toBe(0o600)
  })

  it('refuses a file that holds something else', async () => {
    await writeFile(join(folder, 'jwt-secret'), '')
    await expect(load()).rejects.toThrow('jwt-secret does not hold a secret of 32 bytes')
  })
})
