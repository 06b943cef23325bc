// Starts the real app on a free port, with a temporary folder, a movable clock, and fixtures.
import type { Dirent } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { inject } from 'vitest'
import type { UploadedImage } from '../../contract/endpoints/images.ts'
import { type App, type AppOptions, startApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openSqlite } from '../db/sqlite.ts'
import { createAccount } from '../domain/accounts/account-rows.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { setHashCost } from '../domain/accounts/passwords.ts'
import { type PageFiles, readPageFiles } from '../http/pages/page-assets.ts'
import { loggerOptions } from '../logger.ts'
import { checkResponse } from './check-response.ts'
import { migratedTemplate, newDatabase } from './postgres.ts'
import { sharedDecoders } from './shared-decoders.ts'

/** The least that argon2 accepts: 0.1 ms instead of 13. */
export const cheapHash = { memoryCost: 8, timeCost: 1, parallelism: 1 }
setHashCost(cheapHash)

export interface TestApp {
  deps: Deps
  url: string
  /** The database browser's PIN, when this start created it. */
  newPin: string | null
  /** The app's startup sweep. */
  orphansSwept: Promise<void>
  dataDir: string
  /** Parsed log lines. */
  logged: Record<string, unknown>[]
  moveClock(milliseconds: number): void
  request(path: string, init?: RequestInit): Promise<Response>
  /** Sends JSON and parses the JSON response. */
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>
  upload(bytes: Uint8Array, options?: UploadOptions): Promise<ApiResponse>
  /** Uploads as a guest and throws unless it succeeds. */
  guestImage(bytes: Uint8Array, name?: string): Promise<UploadedImage & { delete_token: string }>
  /** Returns a registered user's token. Where mail is sent, the address is confirmed. */
  newUser(email?: string): Promise<{ token: string; id: string; email: string }>
  /** Lists the files under a folder of DATA_DIR, to check for leftovers. */
  files(folder: string): Promise<string[]>
  /**
   * Stops the server without deleting its data, so that another can start on them.
   * @param drained until it resolves, requests are served
   */
  halt(drained?: Promise<unknown>): Promise<void>
  stop(): Promise<void>
}

export interface CallOptions {
  token?: string | undefined
  guestToken?: string | undefined
  body?: unknown
  headers?: Record<string, string>
}

export interface UploadOptions {
  name?: string
  type?: string
  token?: string | undefined
  field?: string
  /** Text fields before the file. */
  fields?: Record<string, string>
  headers?: Record<string, string>
}

export interface ApiResponse {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape depends on the test
  body: any
}

export interface TestAppOptions extends Pick<
  AppOptions,
  'bind' | 'decoderEntry' | 'imagingJobTimeLimitMs' | 'lockTimeoutMs' | 'warm' | 'wrap'
> {
  /** Whether the app has decoder processes of its own, as in use. Default: those of all apps of the test worker. */
  ownDecoders?: boolean
}

const compiledDecoder = new URL('../../dist/server/imaging/decoder/main.js', import.meta.url)
let page: Promise<PageFiles> | undefined
/** Read once by each worker: reading it costs a third of the CPU time of a start. */
export const builtPage = () => (page ??= readPageFiles(new URL('../../dist/web', import.meta.url).pathname))

/** The file of an empty database with the tables of this version: writing it costs less than the migrations. */
let migratedSqlite: Promise<Buffer> | undefined

async function migrateSqlite(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'image-host-test-'))
  const path = join(folder, 'image-host.sqlite')
  const { db } = await openSqlite(path)
  await migrate(db)
  // Into the file itself: Node 20's driver may leave it to the log when it closes.
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
  await db.destroy()
  const file = await readFile(path)
  await rm(folder, { recursive: true })
  return file
}

/**
 * @param environment overrides the default settings
 * @param dataDir an existing folder, to restart on it
 * @param options override those of the tests
 */
export async function startTestApp(
  environment: Record<string, string> = {},
  dataDir?: string,
  { ownDecoders = false, ...options }: TestAppOptions = {},
): Promise<TestApp> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'image-host-test-')))
  const postgresUrl = inject('postgresUrl')
  const database = postgresUrl === undefined ? undefined : await newDatabase(postgresUrl, migratedTemplate)
  if (postgresUrl === undefined && dataDir === undefined)
    await writeFile(join(folder, 'image-host.sqlite'), await (migratedSqlite ??= migrateSqlite()))
  const config = readConfig({
    DATA_DIR: folder,
    PORT: '0',
    // Disabled except in tests of it.
    RATE_LIMIT: '0',
    RATE_LIMIT_ADMIN: '0',
    RENDER_LIMIT: '0',
    GUEST_UPLOADS_PER_HOUR: '0',
    USER_UPLOADS_PER_HOUR: '0',
    // A response whose body a test does not read keeps its connection until it is garbage-collected.
    CONNECTIONS_PER_ADDRESS: '0',
    ...(database ? { DATABASE_URL: database.url, JWT_SECRET: 'a secret of the tests, long enough' } : {}),
    // Mails have links to it.
    ...(environment['SMTP_URL'] === undefined ? {} : { PUBLIC_URL: 'https://pics.example' }),
    ...environment,
  })
  const logged: Record<string, unknown>[] = []
  const log = pino(loggerOptions(config.LOG_LEVEL), { write: (line) => logged.push(JSON.parse(line)) })
  let offsetMs = 0
  const decoders = {
    decoderEntry: compiledDecoder,
    imagingJobTimeLimitMs: 60_000, // independent of the load of the test machine
  }
  const app: App = await startApp(config, {
    log,
    now: () => Date.now() + offsetMs,
    ...decoders,
    page: await builtPage(),
    jobs: false,
    warm: false,
    ...options,
    bind: (server, deps) => {
      // On a busy machine the time between two requests is longer, and a request meets a connection that is just closed.
      server.server.keepAliveTimeout = 90_000
      // When a body that no test reads is collected, fetch opens another connection and may not use it for long.
      server.server.headersTimeout = 90_000
      options.bind?.(server, deps)
    },
  })
  const needsOwn =
    ownDecoders ||
    options.wrap !== undefined ||
    environment['DECODERS'] !== undefined ||
    environment['RENDER_LIMIT'] !== undefined
  if (!needsOwn && options.decoderEntry === undefined && options.imagingJobTimeLimitMs === undefined)
    app.deps.imaging = sharedDecoders({
      decoderEntry: decoders.decoderEntry,
      jobTimeLimitMs: decoders.imagingJobTimeLimitMs,
    })
  let isRunning = true
  const request = (path: string, init?: RequestInit) => fetch(new URL(path, app.url), init)

  const test: TestApp = {
    deps: app.deps,
    url: app.url,
    newPin: app.newPin,
    orphansSwept: app.orphansSwept,
    dataDir: folder,
    logged,
    moveClock: (milliseconds) => {
      offsetMs += milliseconds
    },
    request,

    async call(method, path, { token, guestToken, body, headers } = {}) {
      return read(
        method,
        await request(path, {
          method,
          headers: {
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(guestToken === undefined ? {} : { 'x-guest-token': guestToken }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
      )
    },

    async upload(
      bytes,
      { name = 'picture.jpg', type = 'image/jpeg', token, field = 'image', fields = {}, headers } = {},
    ) {
      const form = new FormData()
      for (const [key, value] of Object.entries(fields)) form.append(key, value)
      form.append(field, new Blob([new Uint8Array(bytes)], { type }), name)
      return read(
        'POST',
        await request('/api/upload', {
          method: 'POST',
          body: form,
          headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
        }),
      )
    },

    async guestImage(bytes, name) {
      const response = await test.upload(bytes, name === undefined ? {} : { name })
      if (response.status !== 201) throw new Error(`The upload was refused: ${JSON.stringify(response.body)}`)
      return response.body
    },

    async newUser(email = `user-${crypto.randomUUID()}@example.com`) {
      const given = { email, password: 'secret-1' }
      if (app.deps.mail) {
        await createAccount(app.deps, { ...given, role: 'user' }, {})
        const confirmed = app.deps.db.updateTable('users').set({ email_confirmed_at: app.deps.now() })
        await confirmed.where('email', '=', email.toLowerCase()).execute()
      }
      const path = app.deps.mail ? '/api/login' : '/api/register'
      const { status, body } = await test.call('POST', path, { body: given })
      if (status !== (app.deps.mail ? 200 : 201))
        throw new Error(`The registration was refused: ${JSON.stringify(body)}`)
      return { token: body.token, id: body.user.id, email }
    },

    async files(name) {
      const found = await listRecursively(join(folder, name))
      return found.filter((entry) => entry.isFile()).map((entry) => entry.name)
    },

    async halt(drained) {
      if (!isRunning) return
      isRunning = false
      await app.stop(drained)
    },

    async stop() {
      await test.halt()
      await database?.drop()
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
  return test
}

async function read(method: string, response: Response): Promise<ApiResponse> {
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  const body: unknown = isJson ? JSON.parse(text) : text
  checkResponse(method, response.url, response.status, body)
  return { status: response.status, headers: response.headers, body }
}

/** Reads again when a subfolder is removed while it is read, as the folder of an upload after its response. */
async function listRecursively(folder: string): Promise<Dirent[]> {
  for (;;) {
    try {
      return await readdir(folder, { recursive: true, withFileTypes: true })
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' || path === folder) throw error
    }
  }
}
