import { once } from 'node:events'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { DatabaseFull, DatabaseUnavailable } from './db/database-errors.ts'
import { describeStartFailure } from './start-failure.ts'
import { startTestApp } from './testing/app.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-start-failure-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** What the operator reads when a start with these settings fails, as it does. */
async function explanation(
  environment: Record<string, string>,
  dataDir: string,
  options?: Parameters<typeof startTestApp>[2],
): Promise<string> {
  const error = await startTestApp(environment, dataDir, options).then(
    async (app) => {
      await app.stop()
      expect.fail('started')
    },
    (reason: unknown) => reason,
  )
  return describeStartFailure(error, readConfig({ DATA_DIR: dataDir, ...environment }))
}
const secret = { JWT_SECRET: 'a secret of the tests, long enough' }

describe('the message of a failed start names the setting or file to look at for', () => {
  it.each([
    [
      'HOST with an address of another machine',
      '192.0.2.1',
      'HOST: 192.0.2.1 is not an address of this machine (EADDRNOTAVAIL)',
    ],
    ['HOST with an unknown name', 'host.invalid', 'HOST: host.invalid is not an address of this machine (E'],
  ])('%s', async (_, HOST, text) => {
    expect(await explanation({ HOST }, join(folder, 'host'))).toContain(text)
  })

  it('a PORT that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const PORT = String((other.address() as AddressInfo).port)
    const text = await explanation({ PORT }, join(folder, 'port'))
    expect(text).toBe(`PORT: port ${PORT} of 127.0.0.1 is in use by another process. Set PORT to a free port.`)
    other.close()
  })

  it('a DATA_DIR that is a file, is below a file, or cannot contain a database', async () => {
    const file = join(folder, 'file')
    await writeFile(file, 'mine')
    expect(await explanation({}, file)).toBe(`DATA_DIR: ${file} is not a folder (EEXIST).`)
    expect(await explanation({}, join(file, 'below'))).toMatch(
      /^DATA_DIR: .*file.* is not a folder \(ENOTDIR\)|contains a file where/,
    )
    const blocked = await mkdtemp(join(folder, 'blocked-'))
    await symlink('/nowhere/at/all', join(blocked, 'server.lock'))
    expect(await explanation({}, blocked)).toBe(`DATA_DIR: the files in ${blocked} are not writable by this process.`)
    expect(await readdir(blocked)).toEqual(['server.lock'])
  })

  it('a file that is not a database, beside which nothing is created', async () => {
    const dataDir = await mkdtemp(join(folder, 'corrupt-'))
    const path = join(dataDir, 'image-host.sqlite')
    await writeFile(path, 'not a database, '.repeat(1000))
    const text = await explanation({ DATABASE_URL: '' }, dataDir)
    expect(text).toContain(`The database file ${path} is damaged`)
    expect((await readdir(dataDir)).toSorted()).toEqual(['image-host.sqlite', 'server.lock'])
  })

  it('an unavailable PostgreSQL; its password is not printed', async () => {
    const url = 'postgres://me:very-secret@127.0.0.1:1/pictures'
    const dataDir = join(folder, 'postgres')
    const text = await explanation({ DATABASE_URL: url, ...secret }, dataDir)
    expect(text).toMatch(/^DATABASE_URL: the database at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/)
    expect(text).not.toContain('very-secret')
    expect(await readdir(dataDir)).toEqual(['server.lock'])
  })

  it.each([
    ['has no connection left', '53300', 'sorry, too many clients already'],
    ['does not respond', '', 'timeout exceeded when trying to connect'],
    ['does not know the name', '28000', 'role "me" does not exist'],
    ['has no such database', '3D000', 'database "pictures" does not exist'],
  ])('a PostgreSQL that %s', (_, code, message) => {
    const error = Object.assign(new Error(message), code === '' ? {} : { code })
    const config = readConfig({ DATABASE_URL: 'postgres://me:very-secret@db/pictures', ...secret })
    const told = /^(28|3D)/.test(code) ? error : new DatabaseUnavailable(error)
    expect(describeStartFailure(told, config)).toBe(`DATABASE_URL: the database at db cannot be used: ${message}.`)
  })

  it('a full disk, with the bytes that are free and needed', () => {
    const text = describeStartFailure(
      new DatabaseFull(new Error('database or disk is full')),
      readConfig({ DATA_DIR: folder }),
    )
    expect(text).toMatch(
      /^DATA_DIR: \S+ is on a full disk \(ENOSPC\): \d+ bytes are free, and this start needs about \d+\. /,
    )
    expect(text).toContain(`${join(folder, 'variants')} may be deleted.`)
  })

  it('an unreachable bucket', async () => {
    const text = await explanation(
      {
        S3_BUCKET: 'pictures',
        S3_ENDPOINT: 'http://127.0.0.1:1',
        S3_ACCESS_KEY_ID: 'x',
        S3_SECRET_ACCESS_KEY: 'hidden',
      },
      join(folder, 's3'),
    )
    expect(text).toMatch(/^S3_ENDPOINT: http:\/\/127\.0\.0\.1:1 cannot be used: [^\n]*$/)
    expect(text).not.toContain('hidden')
  })

  it('a decoder that cannot start, before the PIN is created', async () => {
    const dataDir = join(folder, 'decoder')
    const decoderEntry = new URL('file:///nowhere/main.js')
    expect(await explanation({}, dataDir, { decoderEntry, warm: true })).toBe(
      "The decoder cannot start: Error: Cannot find module '/nowhere/main.js'. Install the package again; in a clone of " +
        'the repository run npm ci.',
    )
    const app = await startTestApp({}, dataDir)
    expect(app.newPin).toMatch(/^\d{4}$/)
    await app.stop()
  })

  it('a missing or invalid secret', async () => {
    expect(() => readConfig({ DATABASE_URL: 'postgres://a:b@h/d' })).toThrow('JWT_SECRET: is needed')
    const dataDir = await mkdtemp(join(folder, 'secret-'))
    await writeFile(join(dataDir, 'jwt-secret'), 'short')
    expect(await explanation({ JWT_SECRET: '' }, dataDir)).toContain(join(dataDir, 'jwt-secret'))
  })

  it('and contains a stack only for programming errors', () => {
    const config = readConfig({})
    expect(describeStartFailure(new Error('A. ', { cause: new Error('b') }), config)).toBe('A. : b.')
    expect(describeStartFailure(new TypeError('x is not a function'), config)).toContain('start-failure.test.ts')
    expect(describeStartFailure('a text', config)).toBe('a text')
  })
})
