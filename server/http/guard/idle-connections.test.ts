// When idle connections are closed, by the server's own events and not by the clock.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let app: TestApp
let server: Server
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
    bind: (framework) => {
      server = framework.server
      server.keepAliveTimeout = 1
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

/** Connects from another process, so that the server sees the connection and what it has sent at the same time. */
async function connectFrom(script: string): Promise<ChildProcess> {
  const accepted = once(server, 'connection')
  const other = spawn(process.execPath, ['-e', `const s = require('net').connect(${new URL(app.url).port}); ${script}`])
  await accepted
  return other
}

it('a stop does not wait for a connection that has sent nothing', async () => {
  await start('off')
  const forced = vi.spyOn(server, 'closeAllConnections')
  const other = await connectFrom('')
  await app.halt()
  expect(forced).not.toHaveBeenCalled()
  other.kill()
})

it('a stop answers the request of a connection that it has just accepted', async () => {
  await start('off')
  let stopped: Promise<void> | undefined
  server.once('connection', () => {
    // While the event loop is blocked, the request arrives.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    stopped = app.halt()
  })
  const { stdout } = await connectFrom(`s.write(${JSON.stringify(request)}); s.pipe(process.stdout)`)
  expect(await text(stdout as Readable)).toMatch(/^HTTP\/1\.1 /)
  await stopped
})
