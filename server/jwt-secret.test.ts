import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
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
  it('creates a secret once, readable by its owner only', async () => {
    const made = await load()
    expect(made).toHaveLength(32)
    expect(await load()).toEqual(made)
    expect((await stat(join(folder, 'jwt-secret'))).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['jwt-secret'])
  })

  it('creates the secret again after a crash while it was written', async () => {
    await writeFile(join(folder, 'jwt-secret.part'), 'hal', { mode: 0o644 })
    await load()
    expect((await readFile(join(folder, 'jwt-secret'), 'utf8')).trim()).toMatch(/^[\w-]{43}$/)
    expect((await stat(join(folder, 'jwt-secret'))).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['nothing', ''],
    ['31 bytes', Buffer.from(Array.from({ length: 31 }, (_, n) => n)).toString('base64url')],
    ['32 zeros', Buffer.alloc(32).toString('base64url')],
  ])('refuses a file that contains %s', async (_, content) => {
    await writeFile(join(folder, 'jwt-secret'), content)
    await expect(load()).rejects.toThrow('jwt-secret does not contain a secret of 32 bytes')
  })

  it('restricts the file to its owner', async () => {
    const made = await load()
    await chmod(join(folder, 'jwt-secret'), 0o644)
    expect(await load()).toEqual(made)
    expect((await stat(join(folder, 'jwt-secret'))).mode & 0o777).toBe(0o600)
  })

  const given = (JWT_SECRET: string) => loadJwtSecret(readConfig({ DATA_DIR: folder, JWT_SECRET }))

  it.each([
    'a-string-secret-at-least-256-bits-long',
    'your-256-bit-secret-your-256-bit-secret',
    'change-me-change-me-change-me-change-me',
    'secretsecretsecretsecretsecretsecretsecret',
    '0'.repeat(64),
    'keyboard cat keyboard cat keyboard cat',
  ])('refuses JWT_SECRET=%s, which is well known or easy to guess', async (secret) => {
    await expect(given(secret)).rejects.toThrow('JWT_SECRET is well known or easy to guess')
  })

  it('refuses a short JWT_SECRET', () => {
    expect(() => given('only-31-characters-are-in-here-')).toThrow('JWT_SECRET: must have at least 32 characters')
  })

  it('takes the content of the file as JWT_SECRET for the same key, so that links stay valid after a move', async () => {
    const made = await load()
    expect(await given((await readFile(join(folder, 'jwt-secret'), 'utf8')).trim())).toEqual(made)
  })

  it('accepts a JWT_SECRET of random letters', async () => {
    for (let n = 0; n < 200; n++) {
      const secret = randomBytes(32).toString(n % 2 === 0 ? 'base64' : 'hex')
      expect(await given(secret)).toEqual(Buffer.from(secret))
    }
    expect(await readdir(folder)).toEqual([])
  })
})
