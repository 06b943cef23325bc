import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBlobs, openDatabase, openDeps } from '../open-deps.ts'
import { readConfig } from '../config.ts'
import { migrate, migrationNames, migrationState } from '../db/migrate.ts'
import { openPostgres } from '../db/postgres.ts'
import { openSqlite } from '../db/sqlite.ts'
import { allTables, backedUpTables } from '../domain/backups/table-list.ts'
import { productVersion } from '../installation.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { contentsOf } from '../testing/instances.ts'
import { jpeg } from '../testing/test-images.ts'
import { newDatabase, startPostgres } from '../testing/postgres.ts'
import { startS3Server } from '../testing/s3-server.ts'
import { serverCommands } from './server-commands.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'image-host-cli-'))
})
afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true })
})

const compiledCli = new URL('../../dist/command/main.js', import.meta.url).pathname
const newPath = (name = '') => join(folder, `${randomUUID()}${name}`)

interface Options {
  env?: Record<string, string>
  input?: string
}

async function cli(args: string[], { env = {}, input = '' }: Options = {}) {
  const child = spawn(process.execPath, [compiledCli, ...args], {
    env: { ...process.env, DATA_DIR: app.dataDir, ...env },
  })
  child.stdin.on('error', () => {}).end(input)
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once('exit', resolve)))
  return { code, out, err }
}

const contentsAt = async (environment: Record<string, string>) => {
  const config = readConfig({ DATA_DIR: folder, ...environment })
  const { db } = await openDatabase(config, app.deps.log)
  try {
    // Commands are entries of the audit log.
    const compared = backedUpTables.filter((name) => name !== 'audit_log')
    return await contentsOf({ db, blobs: await openBlobs(config) }, compared)
  } finally {
    await db.destroy()
  }
}

/** Of the audit log: action, label of the target, details. */
const entriesOfCommands = async (environment: Record<string, string>) => {
  const { db } = await openDatabase(readConfig({ DATA_DIR: folder, ...environment }), app.deps.log)
  try {
    const rows = await db.selectFrom('audit_log').selectAll().where('actor', '=', 'command_line').execute()
    return rows.map(({ action, target_label, details }) => [action, target_label, JSON.parse(details)])
  } finally {
    await db.destroy()
  }
}

describe('the command line', () => {
  it('prints the usage of all commands and of each command', { timeout: 60_000 }, async () => {
    const all = await cli(['--help'])
    expect(all.code).toBe(0)
    const names = Object.keys(serverCommands)
    expect(names.length).toBeGreaterThan(15)
    for (const name of names) {
      expect(all.out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
      const one = await cli([name, '--help'])
      expect(one).toMatchObject({ code: 0, out: expect.stringContaining(`Usage: npm run cli -- ${name}`) })
    }
  })

  it('has a test that runs every command, here or in a file of its name', async () => {
    const here = await readFile(new URL(import.meta.url), 'utf8')
    const others = await readdir(new URL('.', import.meta.url), { recursive: true })
    // Rows of refusals begin with two brackets.
    const isTested = (name: string) =>
      new RegExp(`(?:[^[]\\[|compiledCli, )'${name}'`).test(here) ||
      others.some((path) => path.endsWith(`${name}.test.ts`))
    expect(Object.keys(serverCommands).filter((name) => !isTested(name))).toEqual([])
  })

  it.each([
    [['promote', 'nobody@example.com'], 1, 'User not found'],
    [['promote'], 2, 'promote: EMAIL is missing'],
    [['promote', 'a@b.c', 'more'], 2, 'promote: more is an unexpected argument'],
    [['unblock', 'example.com'], 2, 'unblock: example.com is not an address or a network'],
    [['users'], 2, 'users: the action must be one of list, show, activate, deactivate, demote, delete'],
    [['users', 'constructor'], 2, 'users: the action must be one of list'],
    [['users', 'show'], 2, 'users: EMAIL is missing'],
    [['users', 'delete', 'nobody@example.com'], 1, 'nobody@example.com: User not found'],
    [['keys', 'list', 'nobody@example.com'], 1, 'User not found'],
    [['keys', 'revoke', 'x'], 1, 'API key not found'],
    [['reports', 'decide', 'x', 'burn'], 2, 'reports: action: '],
    [['reports', 'decide', 'x', 'dismiss'], 1, 'Report not found'],
    [['dance'], 2, 'There is no command dance'],
    [['constructor'], 2, 'There is no command constructor'],
    [['promote', '--fast'], 2, "promote: Unknown option '--fast'"],
    [['restore', '/nowhere/to/be/found'], 1, 'is in use by process'],
    [['import', 'things', '/nowhere/to/be/found'], 1, 'There is no file or folder /nowhere/to/be/found\n'],
    [['import', 'things', '/etc/passwd/x'], 1, '/etc/passwd/x is below a file, not in a folder\n'],
    [['import-from', 'photobucket', '/x'], 2, 'import-from: KIND must be one of slink, zipline'],
    [['import-from', 'slink'], 2, 'import-from: LOCATION is missing'],
    [['import-from', 'slink', '/nowhere.db'], 2, 'import-from: --files FOLDER is missing'],
    [['import-from', 'slink', '/nowhere.db', '--files', '/'], 1, 'unable to open database file'],
    [['import-from', 'zipline', 'postgres://a:b@127.0.0.1:1/c', '--files', '/'], 1, 'ECONNREFUSED'],
    [['import-from', 'chevereto', 'mysql://a:b@127.0.0.1:1/c', '--files', '/'], 1, 'ECONNREFUSED'],
    [['import-from', 'files', '/nowhere'], 2, 'import-from: --owner EMAIL is missing'],
    [['import-from', 'files', '/nowhere', '--owner', 'nobody@example.com'], 1, 'User not found'],
    [['import-from', 'picsur', 'postgres://a', '--email-domain', 'x y'], 2, '--email-domain must be a domain'],
    [['export', '/', '--user', 'nobody@example.com'], 1, 'User not found'],
    [['export', '/'], 1, '/ is not empty'],
    [['demo', '--minutes', 'x'], 2, 'demo: --minutes must be a whole number'],
    [['move'], 2, 'move: no target is given'],
    [['move', '--to-s3'], 2, 'move: --to-s3 needs S3_BUCKET'],
    [['move', '--to-database', 'mysql://x'], 2, '--to-database must look like postgres://'],
    [['move', '--to-database', 'postgres://a:b@127.0.0.1:1/c'], 1, 'is in use by process'],
    [['seed', '--pictures', 'all'], 2, 'seed: --pictures must be a whole number from 0 to 5000'],
    [['seed', '--pictures', '5001'], 2, 'seed: --pictures must be a whole number from 0 to 5000'],
    [['seed', 'more'], 2, 'seed: more is an unexpected argument'],
    [['backup', '/nowhere/at/all.tar'], 1, 'There is no folder /nowhere/at\n'],
  ])('%j exits with %i and prints the reason in one line', async (args, code, message) => {
    await app.newUser()
    const answer = await cli(args)
    expect(answer.err).toContain(message)
    expect(answer.code).toBe(code)
    expect(answer.err).not.toMatch(/\n\s+at /)
    if (code === 1) expect(answer.err.trim().split('\n')).toHaveLength(1)
  })

  it('reports errors of move and restore when no server uses the data folder', async () => {
    const alone = { DATA_DIR: newPath() }
    const move = await cli(['move', '--to-database', 'postgres://a:b@127.0.0.1:1/c'], { env: alone })
    expect(move).toMatchObject({ code: 1, err: expect.stringContaining('ECONNREFUSED') })
    await cli(['create-user', 'someone@example.com', '--generate'], { env: alone })
    const missing = await cli(['restore', '/nowhere/to/be/found'], { env: alone })
    expect(missing).toMatchObject({ code: 1, err: 'There is no file /nowhere/to/be/found\n' })
    const restore = await cli(['restore', compiledCli], { env: alone })
    expect(restore).toMatchObject({ code: 1, err: expect.stringContaining('not empty (users:') })
  })

  it('names a wrong setting', async () => {
    const answer = await cli(['check'], { env: { PORT: 'x' } })
    expect(answer).toMatchObject({ code: 1, err: 'PORT: must be a whole number\n' })
  })
})

it('demo ends at the first Ctrl-C while it draws its pictures, and leaves no files', { timeout: 60_000 }, async () => {
  const temporary = newPath()
  await mkdir(temporary)
  const child = spawn(process.execPath, [compiledCli, 'demo', '--pictures', '5000'], {
    env: { ...process.env, PORT: '0', TMPDIR: temporary },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const errors = text(child.stderr)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const originals = async () =>
    (await readdir(temporary, { recursive: true })).filter((path) => /\/originals\/..\//.test(path))
  await expect.poll(originals).not.toEqual([])
  child.kill('SIGINT')
  // All pictures take minutes.
  expect({ code: await ended, errors: await errors }).toEqual({ code: 0, errors: '' })
  expect(await readdir(temporary)).toEqual([])
})

describe('accounts', () => {
  it('promote makes an account an admin while the server runs', async () => {
    const { token, email } = await app.newUser()
    expect(await cli(['promote', email.toUpperCase()])).toMatchObject({ code: 0, out: `${email} is an admin now.\n` })
    expect((await app.call('GET', '/api/me', { token })).status).toBe(401)
    expect((await login(email, 'secret-1')).body.user.role).toBe('admin')
  })

  const login = (email: string, password: string) => app.call('POST', '/api/login', { body: { email, password } })

  it('create-user creates an account with a password from standard input', async () => {
    const made = await cli(['create-user', 'Typed@example.com', '--admin'], { input: 'typed password\nmore' })
    expect(made).toMatchObject({ code: 0, out: 'typed@example.com has an account now and is an admin.\n' })
    expect((await login('typed@example.com', 'typed password')).body.user).toMatchObject({ role: 'admin' })
    const again = await cli(['create-user', 'typed@example.com'], { input: 'typed password' })
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('Registration failed') })
  })

  it.each([
    [['--generate'], 'ignored'],
    [[], ''],
  ])('create-user generates a password with the options %j', async (options, input) => {
    const email = `made-${randomUUID()}@example.com`
    const { out } = await cli(['create-user', email, ...options], { input })
    const password = /shown only once: (\S{22})\n/.exec(out)?.[1] ?? ''
    expect((await login(email, password)).body.user).toMatchObject({ role: 'user' })
  })

  it('reset-password sets a temporary password and ends sessions and API keys', async () => {
    const { token, email } = await app.newUser()
    const { key } = (await app.call('POST', '/api/api-keys', { token, body: {} })).body
    const { code, out } = await cli(['reset-password', email.toUpperCase()])
    const password = /^The generated password, shown only once: (\S{22})\nIt ends after 24 hours/.exec(out)?.[1] ?? ''
    expect([code, (await login(email, 'secret-1')).status, (await login(email, password)).status]).toEqual([
      0, 401, 200,
    ])
    expect((await app.call('GET', '/api/me', { token })).status).toBe(401)
    expect((await app.call('GET', '/api/images', { token: key })).status).toBe(401)
    expect(await cli(['reset-password', 'nobody@example.com'])).toMatchObject({ code: 1, err: 'User not found\n' })
  })

  it('reset-factors removes the second factors, and ends the sessions', async () => {
    const { id, token, email } = await app.newUser()
    const factor = { user_id: id, secret: 'JBSWY3DPEHPK3PXP', created_at: 1, confirmed_at: 1, last_step: 0 }
    await app.deps.db.insertInto('totp_factors').values(factor).execute()
    expect((await login(email, 'secret-1')).body.code).toBe('second_factor_required')
    expect(await cli(['reset-factors', email])).toMatchObject({
      code: 0,
      out: 'Removed: 1. A password is enough again.\n',
    })
    expect((await login(email, 'secret-1')).status).toBe(200)
    expect((await app.call('GET', '/api/me', { token })).status).toBe(401)
    expect(await cli(['reset-factors', email])).toMatchObject({ out: 'The account has no second factor.\n' })
    expect(await cli(['reset-factors', 'nobody@example.com'])).toMatchObject({ code: 1, err: 'User not found\n' })
  })

  it.each([
    ['not-an-address', 'secret-1', 'email: '],
    ['short@example.com', '12345', 'password: Password must be at least 6 characters long'],
  ])('refuses %s with %s', async (email, input, message) => {
    expect(await cli(['create-user', email], { input })).toMatchObject({
      code: 2,
      err: expect.stringContaining(message),
    })
  })

  it('unblock removes every block of an address while the server runs', async () => {
    const block = (network: string) => ({ network, note: '', expires_at: null, created_at: 1, created_by: 'an admin' })
    const networks = ['127.0.0.0/8', '127.0.0.1', '0.0.0.0/0', '10.0.0.0/8', '::/0']
    await app.deps.db.insertInto('blocked_networks').values(networks.map(block)).execute()
    const body = { email: 'locked-out@example.com', password: 'secret-1' }
    expect((await app.call('POST', '/api/login', { body })).body.code).toBe('address_blocked')
    const { code, out } = await cli(['unblock', '::ffff:127.0.0.1'])
    expect(code).toBe(0)
    expect(out.replace('Not blocked any more: ', '').trim().split(', ').toSorted()).toEqual(
      networks.slice(0, 3).toSorted(),
    )
    expect((await app.call('POST', '/api/login', { body })).body.code).toBe('wrong_credentials')
    expect((await cli(['unblock', '127.0.0.1'])).out).toBe('127.0.0.1 is not blocked.\n')
    await app.deps.db.deleteFrom('blocked_networks').execute()
  })

  it('reset-pin sets a new PIN', async () => {
    const { code, out } = await cli(['reset-pin'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^The new PIN, shown only once: \d{4}\n$/)])
  })

  it('users lists and shows accounts, in text and in JSON', async () => {
    const { email, id } = await app.newUser()
    const { out } = await cli(['users', 'list'])
    expect(out.split('\n')).toContainEqual(expect.stringMatching(new RegExp(`^${email} +user +Active +0 images`)))
    const listed = JSON.parse((await cli(['users', 'list', '--json'])).out)
    expect(listed).toContainEqual(expect.objectContaining({ id, email, role: 'user' }))
    expect(listed).toHaveLength((await app.deps.db.selectFrom('users').selectAll().execute()).length)
    expect(JSON.parse((await cli(['users', 'show', email.toUpperCase(), '--json'])).out)).toMatchObject({ id, email })
    expect((await cli(['users', 'show', email])).out).toContain(`email: ${email}\n`)
    expect(JSON.stringify(listed)).not.toContain('password')
  })

  it('users deactivates and deletes many accounts at once', async () => {
    const { email: one } = await app.newUser()
    const { email: two } = await app.newUser()
    const said = (result: string) => ({ code: 0, out: `${one} ${result}.\n${two} ${result}.\n` })
    expect(await cli(['users', 'deactivate', one, two])).toMatchObject(
      said('is deactivated. Its images are not served'),
    )
    expect(await cli(['users', 'delete', one, two])).toMatchObject(said('is deleted, with 0 images'))
    expect(await cli(['users', 'delete'])).toMatchObject({ code: 2 })
  })

  it('users goes on after an account that is refused, and says so', async () => {
    const { email: one } = await app.newUser()
    const { email: two } = await app.newUser()
    expect(await cli(['users', 'deactivate', one, 'typo@example.com', two])).toEqual({
      code: 1,
      out: [one, two].map((email) => `${email} is deactivated. Its images are not served.\n`).join(''),
      err: 'typo@example.com: User not found\n',
    })
  })

  it('users deactivates, activates, demotes and deletes an account while the server runs', async () => {
    await cli(['promote', (await app.newUser()).email])
    const { token, email, id } = await app.newUser()
    const image = (await app.upload(await jpeg(77, 70), { token })).body
    const status = async () => (await app.request(new URL(image.url).pathname)).status
    expect(await status()).toBe(200)
    expect(await cli(['users', 'deactivate', email])).toMatchObject({
      code: 0,
      out: `${email} is deactivated. Its images are not served.\n`,
    })
    expect([await status(), (await app.call('GET', '/api/me', { token })).status]).toEqual([451, 401])
    expect((await login(email, 'secret-1')).body.code).toBe('inactive_account')
    await cli(['users', 'activate', email])
    expect(await status()).toBe(200)
    await cli(['promote', email])
    expect(await cli(['users', 'demote', email])).toMatchObject({ code: 0, out: `${email} is no admin any more.\n` })
    expect((await login(email, 'secret-1')).body.user.role).toBe('user')
    expect(await cli(['users', 'delete', email])).toMatchObject({
      code: 0,
      out: `${email} is deleted, with 1 image.\n`,
    })
    expect([await status(), (await login(email, 'secret-1')).status]).toEqual([410, 401])
    const entries = await app.deps.db.selectFrom('audit_log').selectAll().where('target', '=', id).execute()
    const byCommand = entries.filter(({ actor }) => actor === 'command_line').map(({ action }) => action)
    expect(byCommand.toSorted()).toEqual([
      'role_changed',
      'role_changed',
      'status_changed',
      'status_changed',
      'user_deleted',
    ])
  })

  it.each(['demote', 'deactivate', 'delete'])('users does not %s the last active admin', async (action) => {
    const env = { DATA_DIR: newPath() }
    await cli(['create-user', 'only@example.com', '--admin', '--generate'], { env })
    expect(await cli(['users', action, 'only@example.com'], { env })).toMatchObject({
      code: 1,
      err: 'only@example.com: The last active admin cannot be demoted, deactivated or deleted\n',
    })
  })

  it('keys lists and revokes API keys while the server runs', async () => {
    const { token, email } = await app.newUser()
    const { key, id } = (await app.call('POST', '/api/api-keys', { token, body: { name: 'Phone' } })).body
    expect((await cli(['keys', 'list', email])).out).toMatch(new RegExp(`^${id}  ${email}  Phone  ik_`))
    const listed = await cli(['keys', 'list', '--json'])
    expect(JSON.parse(listed.out)).toContainEqual(expect.objectContaining({ id, owner: email, name: 'Phone' }))
    expect(listed.out).not.toContain(key)
    expect((await app.call('GET', '/api/images', { token: key })).status).toBe(200)
    expect(await cli(['keys', 'revoke', id])).toMatchObject({ code: 0, out: expect.stringContaining('is revoked.') })
    expect((await app.call('GET', '/api/images', { token: key })).status).toBe(401)
    const logged = await app.deps.db.selectFrom('audit_log').selectAll().where('target', '=', id).execute()
    expect(logged.map(({ action, actor }) => [action, actor])).toContainEqual(['api_key_deleted', 'command_line'])
  })

  it.each([
    ['dismiss', 200],
    ['quarantine', 451],
    ['remove', 410],
    ['block', 410],
  ])('reports lists open cases, and the decision to %s takes effect at once', async (action, status) => {
    const image = await app.guestImage(await jpeg(80 + action.length, 81))
    const serve = async () => (await app.request(new URL(image.url).pathname)).status
    expect(await serve()).toBe(200)
    await app.call('POST', '/api/reports', { body: { image: image.id, reason: 'spam', comment: 'Advertising' } })
    const [found] = JSON.parse((await cli(['reports', 'list', '--json'])).out)
    expect(found).toMatchObject({ image_id: image.id, count: 1, decision: null })
    expect((await cli(['reports', 'list'])).out).toContain(`${found.id}  image ${image.id}  guest  1 x spam`)
    const decided = await cli(['reports', 'decide', found.id, action, '--note', 'By hand'])
    expect(decided).toMatchObject({ code: 0, out: `The report is decided: ${action}.\n` })
    expect(await serve()).toBe(status)
    expect(await cli(['reports', 'decide', found.id, action])).toMatchObject({ code: 1 })
    const [last] = JSON.parse((await cli(['reports', 'list', '--decided', '--json'])).out)
    expect(last).toMatchObject({ id: found.id, decision: { action, note: 'By hand', by: null } })
    const logged = await app.deps.db.selectFrom('audit_log').selectAll().where('target', '=', image.id).execute()
    expect(logged.map((entry) => [entry.action, entry.actor])).toContainEqual(['report_decided', 'command_line'])
  })

  it('commands are entries of the audit log', async () => {
    const { email } = await app.newUser()
    const file = newPath('.tar')
    await cli(['promote', email])
    await cli(['promote', email])
    await cli(['create-user', 'logged@example.com'], { input: 'secret-1' })
    await cli(['reset-password', email])
    await cli(['reset-pin'])
    await cli(['backup', file])
    const entries = await entriesOfCommands({ DATA_DIR: app.dataDir })
    const promoted = entries.filter(([action, label]) => action === 'role_changed' && label === email)
    expect(promoted).toEqual([['role_changed', email, { from: 'user', to: 'admin' }]])
    const created = { role: 'user', status: 'Active' }
    expect(entries).toContainEqual(['user_created', 'logged@example.com', created])
    const reset = entries.filter(([action, label]) => action === 'password_changed' && label === email)
    expect(reset).toEqual([['password_changed', email, { keepApiKeys: false, temporary: true }]])
    expect(entries).toContainEqual(['pin_reset', null, {}])
    expect(entries).toContainEqual(['backup_created', null, { file }])

    const target = newPath()
    await cli(['restore', file], { env: { DATA_DIR: target } })
    const restored = await entriesOfCommands({ DATA_DIR: target })
    expect(restored).toContainEqual(promoted[0])
    const details = { created_at: expect.any(String), images: expect.any(Number) }
    expect(restored).toContainEqual(['backup_restored', null, details])
  })
})

describe('backup and restore', () => {
  it('a backup of a running instance restores into another instance', async () => {
    const user = await app.newUser()
    for (let n = 0; n < 5; n++) await app.upload(await jpeg(100 + n, 80), { token: user.token })
    const uploads = Array.from({ length: 10 }, async () => app.guestImage(await jpeg(90, 90)))
    const file = newPath('.tar')
    const [saved] = await Promise.all([cli(['backup', file]), ...uploads])
    expect(saved).toMatchObject({ code: 0, out: expect.stringMatching(/\.tar: \d+ images of \d+ kB, \d+ rows\.\n$/) })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await cli(['backup', file])).toMatchObject({ code: 1, err: `${file} already exists\n` })

    const target = newPath()
    const restored = await cli(['restore', file], { env: { DATA_DIR: target } })
    expect(restored).toMatchObject({ code: 0, out: expect.stringMatching(/^Restored \d+ images/) })
    const login = await contentsAt({ DATA_DIR: target })
    expect(login.rows['users']).toEqual((await contentsOf(app.deps, ['users'])).rows['users'])
    expect(await cli(['check'], { env: { DATA_DIR: target } })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+ images, .*: no problems\.\n$/),
    })
  })

  it('a backup of rows only restores beside a copy of the originals', async () => {
    await app.guestImage(await jpeg(70, 70))
    const file = newPath('.tar')
    const saved = await cli(['backup', '--rows-only', file])
    expect(saved).toMatchObject({ code: 0, out: expect.stringMatching(/\.tar: the rows of \d+ images, \d+ rows\.\n$/) })
    const target = newPath()
    const env = { DATA_DIR: target }
    expect(await cli(['restore', file], { env })).toMatchObject({ code: 1, err: expect.stringContaining('missing') })
    await cp(join(app.dataDir, 'originals'), join(target, 'originals'), { recursive: true })
    expect(await cli(['restore', file], { env })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Restored the/),
    })
    expect((await cli(['check'], { env })).out).toMatch(/: no problems\.\n$/)
  })

  it('backup s3 and restore s3 move an instance through a bucket', async () => {
    const credentials = { accessKeyId: 'key-of-the-tests', secretAccessKey: 'secret-of-the-tests' }
    const s3 = await startS3Server({ ...credentials, bucket: 'backups', region: 'eu-central-1' })
    const bucket = {
      BACKUP_S3_BUCKET: 'backups',
      BACKUP_S3_ENDPOINT: s3.endpoint,
      BACKUP_S3_REGION: 'eu-central-1',
      BACKUP_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }
    try {
      await app.guestImage(await jpeg(71, 70))
      expect(await cli(['backup', 's3'])).toMatchObject({ code: 1, err: expect.stringContaining('BACKUP_S3_BUCKET') })
      const [first, second] = [
        await cli(['backup', 's3'], { env: bucket }),
        await cli(['backup', 's3'], { env: bucket }),
      ]
      expect(first.out).toMatch(
        /^s3:[\w-]+: the rows of \d+ images, \d+ rows; [1-9]\d* new originals of \d+ kB uploaded\.\n$/,
      )
      expect(second.out).toContain('; 0 new originals of 0 kB uploaded.')
      const target = { DATA_DIR: newPath() }
      const restored = await cli(['restore', 's3'], { env: { ...bucket, ...target } })
      expect(restored).toMatchObject({ code: 0, out: expect.stringMatching(/^Restored the rows of/) })
      expect(await contentsAt(target)).toEqual(await contentsAt({ DATA_DIR: app.dataDir }))
      const wrong = { ...bucket, BACKUP_S3_ACCESS_KEY_ID: 'wrong' }
      const refused = await cli(['backup', 's3'], { env: wrong })
      expect(refused).toMatchObject({
        code: 1,
        err: expect.stringContaining('BACKUP_S3_ACCESS_KEY_ID: the server does not know it'),
      })
    } finally {
      await s3.stop()
    }
  })

  it('a backup removes the archives that killed backups have left beside it, and no other files', async () => {
    const beside = newPath()
    await mkdir(beside)
    await cli(['backup', join(beside, 'whole.tar')])
    const whole = await readFile(join(beside, 'whole.tar'))
    const hourAgo = Date.now() / 1000 - 3700
    for (const [name, bytes, at] of [
      ['left.tar.part', whole.subarray(0, 2000), hourAgo],
      ['written-now.tar.part', whole.subarray(0, 2000), hourAgo + 3600],
      ['film.part', Buffer.alloc(2000), hourAgo],
      ['empty.tar.part', Buffer.alloc(0), hourAgo],
    ] as const) {
      await writeFile(join(beside, name), bytes)
      await utimes(join(beside, name), at, at)
    }
    await cli(['backup', join(beside, 'next.tar')])
    expect((await readdir(beside)).toSorted()).toEqual([
      'empty.tar.part',
      'film.part',
      'next.tar',
      'whole.tar',
      'written-now.tar.part',
    ])
  })

  it('a backup without FILE is listed with the other backups', async () => {
    const { code, out } = await cli(['backup'])
    expect(code).toBe(0)
    const id = /backups\/([\w-]+)\.tar:/.exec(out)?.[1]
    const row = await app.deps.db
      .selectFrom('backups')
      .selectAll()
      .where('id', '=', id ?? '')
      .executeTakeFirst()
    expect(row).toMatchObject({ status: 'completed', taken_by: 'cli' })
    expect(await readdir(join(app.dataDir, 'backups'))).toEqual([`${id}.tar`])
  })

  it('a truncated archive restores nothing', async () => {
    const file = newPath('.tar')
    await cli(['backup', file])
    const bytes = await readFile(file)
    await writeFile(file, bytes.subarray(0, bytes.length - 3000))
    const target = newPath()
    const answer = await cli(['restore', file], { env: { DATA_DIR: target } })
    expect(answer.code).toBe(1)
    expect(answer.err.trim().split('\n')).toHaveLength(1)
    expect((await contentsAt({ DATA_DIR: target })).originals).toEqual({})
  })

  it('check prints each problem and exits with 1', async () => {
    const image = await app.guestImage(await jpeg(50, 50))
    await app.deps.blobs.delete(image.id)
    const { code, out } = await cli(['check'])
    expect(code).toBe(1)
    expect(out).toContain(`${image.id}  the bytes are missing\n`)
    expect(out).toMatch(/: 1 problems\.\n$/)
    await app.deps.db.deleteFrom('images').where('id', '=', image.id).execute()
  })
})

describe('import', () => {
  const documents = [
    {
      _id: { $oid: '5f50c31e8a7d4b1f2c3d4e5f' },
      name: 'a "quoted" } ] name',
      createdAt: { $date: '2024-05-01T10:00:00Z' },
    },
    { _id: 'two', tags: ['x', { deep: [1, 2, { $numberLong: '3' }] }], note: 'line\nbreak \u2028 and 日本語' },
    { _id: 3, empty: {}, none: null },
  ]
  const forms: [string, string][] = [
    ['a JSON array', JSON.stringify(documents)],
    ['an array over many lines', `\uFEFF${JSON.stringify(documents, null, 2)}\n`],
    ['NDJSON', documents.map((document) => JSON.stringify(document)).join('\n')],
    ['objects over many lines', documents.map((document) => JSON.stringify(document, null, 2)).join('\n\n')],
  ]

  it.each(forms)('imports %s', async (_, content) => {
    const name = `c${randomUUID()}`
    const path = newPath('.json')
    await writeFile(path, content)
    expect(await cli(['import', name, path])).toMatchObject({ code: 0, out: `3 documents were added to ${name}.\n` })
    const rows = await app.deps.db
      .selectFrom('documents')
      .innerJoin('collections', 'collections.id', 'collection_id')
      .select(['documents.id', 'body', 'documents.created_at'])
      .where('name', '=', name)
      .orderBy('position')
      .execute()
    expect(rows.map(({ id, body }) => [id, JSON.parse(body)])).toEqual([
      ['5f50c31e8a7d4b1f2c3d4e5f', { name: 'a "quoted" } ] name' }],
      ['two', { tags: ['x', { deep: [1, 2, 3] }], note: 'line\nbreak \u2028 and 日本語' }],
      ['3', { empty: {}, none: null }],
    ])
    expect(rows[0]?.created_at).toBe(Date.parse('2024-05-01T10:00:00Z'))
    expect((await cli(['import', name, path])).out).toBe(`0 documents were added to ${name}, 3 already existed.\n`)
  })

  it('imports 3000 documents across the borders of read chunks', async () => {
    const path = newPath('.ndjson')
    const lines = Array.from({ length: 3000 }, (_, n) => JSON.stringify({ _id: `d${n}`, text: 'ä"{['.repeat(n % 40) }))
    await writeFile(path, lines.join('\n'))
    expect((await cli(['import', 'many', path])).out).toBe('3000 documents were added to many.\n')
  })

  it.each([
    ['users', '[{}]', /users/],
    ['fine', '[{"a":1},', /is incomplete/],
    ['fine', '{"a":', /is incomplete/],
    ['fine', 'a,b\n1,2', /something other than JSON objects at character 1/],
    ['fine', '[{"a":1},{"b":nope}]', /Document 2 of .* is not valid JSON/],
    ['fine', '[]', /contains no document/],
    ['fine', '{"a":1}\n{"constructor":1}', /constructor/],
    ['fine', `{"a":"${'x'.repeat(1_100_000)}"}`, /larger than/],
    ['n'.repeat(65), '{"a":1}', /name/],
  ])('refuses, case %#', async (name, content, message) => {
    const path = newPath('.json')
    await writeFile(path, content)
    const answer = await cli(['import', name, path])
    expect([answer.code, answer.err]).toEqual([1, expect.stringMatching(message)])
    const made = await app.deps.db.selectFrom('collections').select('id').where('name', '=', 'fine').execute()
    expect(made).toEqual([])
  })
})

describe('seed', () => {
  const seeded = ['users', 'images', 'api_keys', 'contact_messages', 'collections', 'documents'] as const

  it('adds the sample data once', { timeout: 240_000 }, async () => {
    const mail = {
      SMTP_URL: 'smtp://127.0.0.1:9',
      SUPPORT_EMAIL: 'help@example.com',
      PUBLIC_URL: 'https://pics.example',
    }
    const home = { DATA_DIR: newPath(), ...mail }
    const first = await cli(['seed', '--pictures', '10'], { env: home })
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toContain(
      'Created 12 accounts. Their passwords, shown only once, for 24 hours unless changed:\n  admin@example.com ',
    )
    expect(first.out).toMatch(
      /216 documents were added to trims\..*3 contact messages were added.*10 pictures were uploaded\.\n$/s,
    )
    const rows = (await contentsAt(home)).rows
    expect(Object.fromEntries(seeded.map((table) => [table, rows[table]?.length]))).toEqual({
      users: 12,
      images: 10,
      api_keys: 8,
      contact_messages: 3,
      collections: 7,
      documents: 318,
    })
    expect(rows['outgoing_mail']).toEqual([])
    expect(await cli(['seed'], { env: home })).toMatchObject({
      code: 0,
      out: 'The sample data already exists; nothing was changed. --force adds missing parts.\n',
    })
    const forced = await cli(['seed', '--pictures', '11', '--force'], { env: home })
    expect(forced.out).toContain('The accounts already exist.\n0 documents were added to makes.')
    expect(forced.out).toMatch(/0 contact messages were added.*1 pictures were uploaded\.\n$/s)
    expect((await contentsAt(home)).rows['documents']).toEqual(rows['documents'])
    expect((await cli(['check'], { env: home })).out).toMatch(/^11 images, .*: no problems\.\n$/)
  })

  it('creates the admin of the settings and no other admin', async () => {
    const admin = { ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'a password of mine' }
    const { out } = await cli(['seed', '--pictures', '0'], { env: { DATA_DIR: newPath(), ...admin } })
    expect(out).toContain('Created 11 accounts.')
    expect(out).not.toContain('(admin)')
  })

  it('does not change an instance in use without --force, while its server runs', { timeout: 240_000 }, async () => {
    const used = await startTestApp()
    const env = { DATA_DIR: used.dataDir }
    try {
      await used.guestImage(await jpeg(60, 40))
      const refused = await cli(['seed'], { env })
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('has pictures already. --force adds') })
      const { code, out } = await cli(['seed', '--pictures', '12', '--force'], { env })
      expect(code).toBe(0)
      const password = /maya@example\.com +(\S{22})\n/.exec(out)?.[1]
      const login = await used.call('POST', '/api/login', { body: { email: 'maya@example.com', password } })
      const { body: images } = await used.call('GET', '/api/images', { token: login.body.token })
      expect(images.length).toBe(login.body.user.imageCount - 1)
      const thumbnail = await used.request(images[0].thumbnailUrl)
      expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/webp'])
    } finally {
      await used.stop()
    }
  })

  it('works with PostgreSQL and S3', { timeout: 60_000 }, async () => {
    const credentials = { accessKeyId: 'key-of-the-tests', secretAccessKey: 'secret-of-the-tests' }
    const s3 = await startS3Server({ ...credentials, bucket: 'pictures' })
    const postgres = await startPostgres()
    const env = {
      DATA_DIR: newPath(),
      DATABASE_URL: postgres.url,
      JWT_SECRET: 'a secret of the tests, long enough',
      S3_BUCKET: 'pictures',
      S3_ENDPOINT: s3.endpoint,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }
    try {
      expect(await cli(['seed', '--pictures', '4'], { env })).toMatchObject({ code: 0, err: '' })
      const { rows, originals } = await contentsAt(env)
      expect([rows['images']?.length, rows['documents']?.length, Object.keys(originals).length]).toEqual([4, 318, 4])
    } finally {
      await s3.stop()
      await postgres.stop()
    }
  })
})

describe('upgrade', () => {
  const oldest = migrationNames[0] ?? ''

  it('tries the migration on a copy, migrates with a copy, and is then done', { timeout: 60_000 }, async () => {
    const env = { DATA_DIR: newPath() }
    expect((await cli(['upgrade', '--check'], { env })).out).toBe(
      'There is no database yet: the first start creates it.\n',
    )
    await mkdir(env.DATA_DIR)
    const file = join(env.DATA_DIR, 'image-host.sqlite')
    const { db } = await openSqlite(file)
    await migrate(db, oldest)
    // The file may be closed only when its statements are garbage collected, and a close writes the log into it.
    await sql`pragma wal_checkpoint(truncate)`.execute(db)
    await db.destroy()
    const before = await readFile(file)

    const checked = await cli(['upgrade', '--check'], { env })
    expect(checked).toMatchObject({ code: 0, err: '' })
    expect(checked.out).toMatch(
      new RegExp(
        `^Database +SQLite, \\d+ kB, at ${oldest}\nMigrations +${migrationNames.slice(1).join(', ')}\nCopy +in .+\n`,
      ),
    )
    expect(checked.out).toMatch(/\nTime +\d+\.\d s for the copy, \d+\.\d s for the migration, tried on a copy\n$/)
    expect((await readFile(file)).equals(before)).toBe(true)
    expect(await readdir(join(env.DATA_DIR, 'tmp'))).toEqual([])

    const { code, out } = await cli(['upgrade'], { env })
    expect([code, out]).toEqual([0, expect.stringContaining(`${env.DATA_DIR}/backups/database/${oldest}-`)])
    for (const args of [['upgrade'], ['upgrade', '--check']])
      expect((await cli(args, { env })).out).toBe(`The database is of this version, ${productVersion()}.\n`)
  })

  it('is refused while a server runs', async () => {
    expect(await cli(['upgrade'])).toMatchObject({ code: 1, err: expect.stringContaining('is in use by process') })
    expect(await cli(['upgrade', '--check'])).toMatchObject({ code: 0 })
  })

  it('needs pg_dump for PostgreSQL, or UPGRADE_BACKUP=off', { timeout: 60_000 }, async () => {
    const postgres = await startPostgres()
    try {
      const env = { DATA_DIR: newPath(), DATABASE_URL: postgres.url, JWT_SECRET: 'a secret of the tests, long enough' }
      const db = await openPostgres(postgres.url, () => {})
      await migrate(db, oldest)
      const refused = await cli(['upgrade'], { env: { ...env, PATH: '' } })
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('UPGRADE_BACKUP: before a migration the') })
      expect(refused.err).toContain('it is not installed')
      expect(await migrationState(db)).toMatchObject({ done: [oldest] })
      await db.destroy()
      const { out } = await cli(['upgrade'], { env: { ...env, UPGRADE_BACKUP: 'off' } })
      expect(out).toMatch(/^Migrated in \d+\.\d s: .+\.\n$/)
    } finally {
      await postgres.stop()
    }
  })
})

it('a failed start closes its database connections', { timeout: 60_000 }, async () => {
  const postgres = await startPostgres()
  const blocked = newPath()
  await mkdir(blocked)
  await writeFile(join(blocked, 'variants'), '')
  const environment = {
    DATA_DIR: blocked,
    DATABASE_URL: postgres.url,
    JWT_SECRET: 'a secret of the tests, long enough',
  }
  const { db } = await openDatabase(readConfig(environment), app.deps.log)
  const otherConnections = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    return rows[0]?.count
  }
  try {
    expect((await cli(['check'], { env: environment })).err).toContain('already exists')
    await expect(openDeps(readConfig(environment), { log: app.deps.log })).rejects.toThrow('EEXIST')
    await expect.poll(otherConnections).toBe(0)
  } finally {
    await db.destroy()
    await postgres.stop()
  }
})

describe('import-from and export', () => {
  it('read a folder into an account and write it out again, beside a running server', { timeout: 60_000 }, async () => {
    const [from, to, report] = [newPath(), newPath(), newPath('.csv')] as const
    await mkdir(join(from, 'Holidays'), { recursive: true })
    await writeFile(join(from, 'Holidays', 'beach.jpg'), await jpeg(61, 40))
    await writeFile(join(from, 'broken.jpg'), 'no picture')
    const { email, token } = await app.newUser()
    const run = ['import-from', 'files', from, '--owner', email, '--report', report]
    const dry = await cli([...run, '--dry-run'])
    expect(dry.out).toContain('Pictures: 1 can be imported, 0 already imported, 1 not imported.')
    const first = await cli(run)
    expect(first).toMatchObject({ code: 1, err: '' })
    expect(first.out).toContain('Pictures: 1 imported, 0 already imported, 1 not imported.')
    expect(first.out).toContain(`${join(from, 'broken.jpg')}: File type must be `)
    expect(await readFile(report, 'utf8')).toMatch(
      /^result,kind,[^]*\r\nimported,image,[^,]+,beach\.jpg,[^,]+,[^,]+\/Holidays\/beach\.jpg,\/uploads\/beach-/,
    )
    expect((await cli(run)).out).toContain('Pictures: 0 imported, 1 already imported, 1 not imported.')
    const { body: images } = await app.call('GET', '/api/images', { token })
    expect(images).toMatchObject([{ original_name: 'beach.jpg' }])

    const out = await cli(['export', to, '--user', email])
    expect(out).toMatchObject({ code: 0, out: expect.stringContaining('1 picture of') })
    expect((await readdir(to)).toSorted()).toEqual(['albums.json', 'beach.jpg', 'images.json', 'index.html'])
    expect(await cli(['export', to])).toMatchObject({ code: 1, err: `${to} is not empty\n` })
    const entries = await entriesOfCommands({ DATA_DIR: app.dataDir })
    const imports = entries.filter(
      ([action, , { source }]) => action === 'import_started' && source.startsWith('files:'),
    )
    expect(imports).toHaveLength(2)
    expect(entries).toContainEqual(['export_started', email, {}])
  })
})

describe('move', () => {
  it('copies an instance to PostgreSQL and S3, and back', { timeout: 120_000 }, async () => {
    const credentials = { accessKeyId: 'key-of-the-tests', secretAccessKey: 'secret-of-the-tests' }
    const s3 = await startS3Server({ ...credentials, bucket: 'pictures', region: 'eu-central-1' })
    const postgres = await startPostgres()
    const bucket = {
      S3_BUCKET: 'pictures',
      S3_ENDPOINT: s3.endpoint,
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }
    const database = { DATABASE_URL: postgres.url, JWT_SECRET: 'a secret of the tests, long enough' }
    const home = { DATA_DIR: newPath() }
    const server = await startTestApp({}, home.DATA_DIR)
    const user = await server.newUser()
    for (let n = 0; n < 3; n++) await server.upload(await jpeg(120 + n, 90), { token: user.token })
    await server.stop()
    try {
      const before = await contentsAt(home)
      const there = await cli(['move', '--to-database', postgres.url, '--to-s3'], { env: { ...home, ...bucket } })
      expect(there).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Originals: \d+ copied, 0 already.*\nRows: \d+ copied/),
      })
      expect(await contentsAt({ ...bucket, ...database })).toEqual(before)
      expect(await contentsAt(home)).toEqual(before)
      const entries = await entriesOfCommands(home)
      expect(entries).toHaveLength(2)
      expect(entries).toContainEqual(['instance_copied', null, { originals: 's3' }])
      expect(entries).toContainEqual(['instance_copied', null, { rows: 'postgresql' }])
      const again = await cli(['move', '--to-database', postgres.url, '--to-s3'], { env: { ...home, ...bucket } })
      expect(again.out).toMatch(/^Originals: 0 copied, \d+ already.*\nRows: 2 copied/)

      const back = newPath()
      const returned = await cli(['move', '--to-sqlite', '--to-disk'], {
        env: { ...bucket, ...database, DATA_DIR: back },
      })
      expect(returned).toMatchObject({ code: 0, out: expect.stringMatching(/^Originals: \d+ copied, 0/) })
      expect(await contentsAt({ DATA_DIR: back })).toEqual(before)

      // And a backup of each restores into the others: the four combinations of database and store.
      const file = newPath('.tar')
      expect((await cli(['backup', file], { env: { ...bucket, ...database } })).code).toBe(0)
      const restored = newPath()
      expect((await cli(['restore', file], { env: { DATA_DIR: restored } })).code).toBe(0)
      expect(await contentsAt({ DATA_DIR: restored })).toEqual(before)
      for (const [isPostgres, isS3] of [
        [true, true],
        [true, false],
        [false, true],
      ]) {
        const empty = await newDatabase(postgres.url)
        s3.objects.clear()
        const target = {
          DATA_DIR: newPath(),
          ...(isPostgres ? { ...database, DATABASE_URL: empty.url } : {}),
          ...(isS3 ? bucket : {}),
        }
        expect(await cli(['restore', file], { env: target })).toMatchObject({ code: 0, err: '' })
        expect(await contentsAt(target)).toEqual(before)
        expect((await cli(['check'], { env: target })).code).toBe(0)
        const again = newPath('.tar')
        expect((await cli(['backup', again], { env: target })).code).toBe(0)
        const end = newPath()
        expect((await cli(['restore', again], { env: { DATA_DIR: end } })).code).toBe(0)
        expect(await contentsAt({ DATA_DIR: end })).toEqual(before)
      }
      expect(allTables.length).toBeGreaterThan(backedUpTables.length)
    } finally {
      await s3.stop()
      await postgres.stop()
    }
  })
})
