// The product in this process, with fault points between it and its database, files and store.
import { join } from 'node:path'
import { openSqlite } from '../../server/db/sqlite.ts'
import { memoryCounters } from '../../server/domain/shared/rate-counters.ts'
import { admin, adminSettings, bodyOf, call, logIn, register, upload } from '../client.ts'
import { jpeg } from '../fault-images.ts'
import { startInProcess } from '../in-process.ts'
import { type Defer, openFolder } from '../resources.ts'
import { failingDialect } from './database.ts'
import { failFiles } from './files.ts'
import { Points, systemError } from './fault-points.ts'

/** A response that takes longer counts as a hang. */
const hangMs = 10_000

export type TestServer = Awaited<ReturnType<typeof openTestServer>>

interface Person {
  id: string
  token: string
}

interface SendOptions {
  token?: string
  guestToken?: string
  body?: object
  headers?: Record<string, string>
}

export async function openTestServer(defer: Defer) {
  const dataDir = await openFolder(defer)
  const points = new Points()
  let counters = memoryCounters()
  const settings = { DATA_DIR: dataDir, DB_VIEW_PIN: '1234', ...adminSettings }
  const app = await startInProcess(settings, {
    wrap: async (deps) => {
      await deps.db.destroy()
      const { db } = await openSqlite(join(dataDir, 'image-host.sqlite'), {
        wrap: (dialect) => failingDialect(dialect, points),
      })
      return {
        ...deps,
        db,
        blobs: failing(deps.blobs, 'store', points),
        variants: failing(deps.variants, 'cache', points),
        snapshot: (use) => points.meet('snapshot', systemError, () => deps.snapshot(use)),
        counters: {
          hit: (...given) => counters.hit(...given),
          undoHit: (...given) => counters.undoHit(...given),
        },
      }
    },
  })
  defer(() => app.stop())
  defer(failFiles(dataDir, points))

  const send = (method: string, path: string, { guestToken, headers, ...options }: SendOptions = {}) =>
    call(app.url + path, {
      ...options,
      method,
      timeoutMs: hangMs,
      headers: { ...(guestToken !== undefined && { 'x-guest-token': guestToken }), ...headers },
    })
  const whoIs = async (token: string): Promise<Person> => ({
    token,
    id: bodyOf<{ user: { id: string } }>(await send('GET', '/api/me', { token })).user.id,
  })
  const image = await jpeg(120, 90)
  const tokenOfAdmin = await logIn(app.url, admin)
  const unlocked = await send('POST', '/db/unlock', { token: tokenOfAdmin, body: { pin: '1234' } })

  return {
    url: app.url,
    dataDir,
    deps: app.deps,
    points,
    image,
    admin: await whoIs(tokenOfAdmin),
    user: await whoIs(await register(app.url, 'user@example.com')),
    /** The admin's token for the database view. */
    dbToken: bodyOf<{ token: string }>(unlocked).token,
    send,
    upload: ({ token, key }: { token?: string; key?: string } = {}) =>
      upload(app.url, image, {
        timeoutMs: hangMs,
        ...(token === undefined ? {} : { token }),
        ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
      }),
    /** Resets the rate limits. */
    forgetCounts: () => {
      counters = memoryCounters()
    },
  }
}

/** The same port; each of its calls that returns a promise can fail. */
function failing<T extends object>(port: T, name: string, points: Points): T {
  return new Proxy(port, {
    get(target, key) {
      const own: unknown = Reflect.get(target, key)
      if (typeof own !== 'function' || typeof key !== 'string' || !fallible.has(key)) return own
      return (...given: unknown[]) =>
        points.meet(`${name}.${key}`, systemError, () => Reflect.apply(own, target, given) as Promise<unknown>)
    },
  })
}

const fallible = new Set(['put', 'read', 'openLocalFile', 'delete', 'deleteImage', 'imageIds'])
