// When idle connections are closed, by the server's own events and not by the clock.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let app: TestApp
let client: Socket
afterEach(async () => {
  client.destroy()
  await app.stop()
})

const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

/** Starts a server that announces the shortest time for idle connections, connects and gets a response. */
async function start(TRUST_PROXY: string) {
  const expirations: ((connection: Socket) => void)[] = []
  app = await startTestApp({ TRUST_PROXY }, undefined, {
    bind: ({ server }) => {
      server.keepAliveTimeout = 1
      // Node closes silent connections by itself then.
      server.headersTimeout = 0
      // Not of the server: a listener there replaces Node's handler, which closes the connection.
      server.on('connection', (connection) => connection.on('timeout', () => expirations.shift()?.(connection)))
    },
  })
  client = connect(Number(new URL(app.url).port), '127.0.0.1')
  client.on('error', () => {})
  const respond = async () => {
    client.write(request)
    return String((await once(client, 'data'))[0])
  }
  expect(await respond()).toContain('200 OK')
  /** Resolves while the timer runs, before the server reads anything more. */
  const expire = (then: (connection: Socket) => unknown = () => {}) =>
    new Promise<Socket>((resolve) => {
      expirations.push((connection) => {
        then(connection)
        resolve(connection)
      })
    })
  return { respond, expire }
}

it('a request shortly after the announced time of an idle connection is answered', async () => {
  const { respond, expire } = await start('off')
  await expire()
  expect(await respond()).toContain('200 OK')
  await expire()
  expect(await respond()).toContain('200 OK')
})

it('a request that arrives while the event loop is blocked is answered, though the time has ended', async () => {
  const { expire } = await start('off')
  await expire()
  await expire(() => client.write(request))
  expect(String((await once(client, 'data'))[0])).toContain('200 OK')
})

it('an idle connection of a client is closed', async () => {
  const { expire } = await start('off')
  expect((await expire()).timeout).toBe(1_000)
  await once(client, 'close')
})

it.each(['1', '127.0.0.1'])('a connection of a trusted proxy (%s) outlives those of all proxies', async (trusted) => {
  const { expire } = await start(trusted)
  expect((await expire()).timeout).toBeGreaterThan(600_000)
})

it('a client that is not the listed proxy gets no longer time', async () => {
  const { expire } = await start('10.0.0.1')
  expect((await expire()).timeout).toBe(1_000)
})

it('a stop does not wait for a connection that has sent nothing', async () => {
  await start('off')
  const silent = connect(Number(new URL(app.url).port), '127.0.0.1')
  await once(silent, 'connect')
  await Promise.all([once(silent, 'close'), app.halt()])
})
