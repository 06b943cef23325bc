// Checks the load client against node:http: its counts match what was sent.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { load, resultWithStatus } from './load.ts'

const body = Buffer.alloc(100_000, 'x')
const server = createServer((request, response) => {
  request.resume()
  if (request.url === '/chunks') {
    response.write('a')
    response.end(body)
  } else if (request.url === '/stalled') setTimeout(() => response.writeHead(200, { 'content-length': 0 }).end(), 300)
  else if (request.url === '/same') response.writeHead(304, { 'content-length': 5 }).end()
  else if (request.method === 'POST') request.on('end', () => response.writeHead(201, { 'content-length': 0 }).end())
  else if (request.url === '/cut') request.socket.destroy()
  else response.writeHead(200, { 'content-length': body.length }).end(body)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const sendRequests = (path: string, count = 10) => load(url, { connections: 3, count, request: () => ({ path }) })

test('every response is counted once with its time', async () => {
  const loaded = await sendRequests('/', 50)
  expect([...loaded.statuses]).toEqual([[200, 50]])
  const { items, times, refused } = resultWithStatus(200, loaded)
  expect([items, times?.length, refused]).toEqual([50, 50, 0])
})

test.each([
  ['/chunks', 200],
  ['/same', 304],
])('the response of %s ends at its boundary, with status %i', async (path, status) => {
  expect([...(await sendRequests(path)).statuses]).toEqual([[status, 10]])
})

test('a request body is sent whole', async () => {
  const sent = { path: '/', method: 'POST', body }
  expect((await load(url, { connections: 2, count: 6, request: () => sent })).statuses.get(201)).toBe(6)
})

test('a run with a duration ends after it', async () => {
  const { tookMs } = await load(url, { connections: 2, forMs: 50, request: () => ({ path: '/' }) })
  expect(tookMs).toBeGreaterThanOrEqual(50)
})

test('requests that were due while the server stalled count their waiting time', async () => {
  const request = (n: number) => ({ path: n === 0 ? '/stalled' : '/' })
  const { items, times = [] } = resultWithStatus(
    200,
    await load(url, { connections: 1, everyMs: 5, forMs: 400, request }),
  )
  // One request was due every 5 ms, also during the 300 ms stall: the later ones waited less.
  expect(items).toBe(80)
  expect(times.filter((ms) => ms > 100).length).toBeGreaterThanOrEqual(40)
})

test('a closed connection is an error', async () => {
  await expect(sendRequests('/cut')).rejects.toThrow(/hang up|ECONNRESET/)
})

test('rejected requests are counted separately, and other statuses are an error', () => {
  const responses = [200, 503, 200, 503].map((status, n) => ({ status, tookMs: n }))
  const statuses = new Map([
    [200, 2],
    [503, 2],
  ])
  const loaded = { tookMs: 9, responses, statuses }
  expect(resultWithStatus(200, loaded)).toEqual({ items: 2, tookMs: 9, times: [0, 2], refused: 2 })
  expect(() => resultWithStatus(304, loaded)).toThrow('2 x 200')
})
