// The limit of connections per address, over real connections; IPv6 networks by sockets that claim an address.
import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { openMetrics } from '../../metrics.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { createConnectionLimit } from './connection-limit.ts'

const perAddress = 3
let app: TestApp
let sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await app?.stop()
})

const start = async (TRUST_PROXY = 'off', limit = perAddress) => {
  app = await startTestApp({ CONNECTIONS_PER_ADDRESS: String(limit), TRUST_PROXY })
}

/** Opens a connection and sends a request. The connection stays open. */
async function connectFrom(localAddress: string): Promise<'served' | 'closed'> {
  const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1', localAddress })
  sockets.push(socket)
  // The server resets a refused connection that has sent something.
  socket.on('error', () => {})
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  const served = once(socket, 'data').then(() => 'served' as const)
  return Promise.race([served, once(socket, 'close').then(() => 'closed' as const)])
}

async function connectTimes(times: number, localAddress: string): Promise<string[]> {
  const outcomes: string[] = []
  for (let n = 0; n < times; n++) outcomes.push(await connectFrom(localAddress))
  return outcomes
}

const counts = async () => {
  const { body } = await app.deps.metrics.text()
  const valueOf = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body)?.[1])
  return {
    addresses: valueOf('image_host_connected_addresses'),
    refused: valueOf('image_host_connections_refused_total'),
  }
}

const served = (times: number) => Array<string>(times).fill('served')

describe('an address with as many connections as it may have', () => {
  it('gets no further one, while those and other addresses are served', async () => {
    await start()
    expect(await connectTimes(5, '127.0.0.2')).toEqual([...served(3), 'closed', 'closed'])
    expect(await connectTimes(3, '127.0.0.3')).toEqual(served(3))
    const warnings = app.logged.filter(({ msg }) => String(msg).includes('CONNECTIONS_PER_ADDRESS'))
    expect(warnings).toMatchObject([{ address: '127.0.0.2', limit: perAddress }])
    expect(await counts()).toEqual({ addresses: 2, refused: 2 })
    const [first] = sockets
    first?.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(first as Socket, 'data')
  })

  it('gets another one when one of them has closed', async () => {
    await start()
    await connectTimes(3, '127.0.0.2')
    sockets[1]?.resetAndDestroy()
    await expect.poll(() => connectFrom('127.0.0.2')).toBe('served')
    expect(await connectFrom('127.0.0.2')).toBe('closed')
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await counts()).addresses).toBe(0)
  })
})

describe('the limit does not apply', () => {
  it.each([
    ['with CONNECTIONS_PER_ADDRESS=0', 'off', 0],
    ['behind a number of proxies', '1', perAddress],
    ['to a listed proxy', '127.0.0.2', perAddress],
    ['to a proxy of a listed network', '10.0.0.0/8, 127.0.0.0/30', perAddress],
  ])('%s', async (_, trust, limit) => {
    await start(trust, limit)
    expect(await connectTimes(5, '127.0.0.2')).toEqual(served(5))
  })

  it('to listed proxies, but to clients that connect past them', async () => {
    await start('127.0.0.2')
    expect(await connectTimes(4, '127.0.0.3')).toEqual([...served(3), 'closed'])
  })
})

it.each([
  ['one IPv4 address, also within IPv6', ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1'], [true, true, false]],
  ['one IPv6 network of 64 bits', ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::'], [true, true, false]],
  ['several IPv6 networks', ['2001:db8::1', '2001:db8:0:1::1', '2001:db8:0:2::1'], [true, true, true]],
  ['a trusted proxy within IPv6', ['::ffff:10.0.0.1', '::ffff:10.0.0.1', '::ffff:10.0.0.1'], [true, true, true]],
  ['a trusted IPv6 proxy', ['fd00::1', 'fd00::1', 'fd00::1'], [true, true, true]],
])('of two connections per address, %s', (_, addresses, admitted) => {
  const config = readConfig({ CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: '10.0.0.0/8,fd00::1' })
  const admit = createConnectionLimit(config, openMetrics(), { warn: () => {} })
  const from = (address: string) => Object.defineProperty(new Socket(), 'remoteAddress', { value: address })
  expect(addresses.map((address) => admit(from(address)))).toEqual(admitted)
})
