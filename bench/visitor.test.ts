import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../e2e/proxies/proxy.ts'
import { withFolder } from '../faults/resources.ts'
import { brokenOff, connectVisitor } from './visitor.ts'

test('a page counts the status of each response, and responses that were broken off', async () => {
  const [cert, key] = await withFolder(async (folder) => {
    const paths = [join(folder, 'certificate.pem'), join(folder, 'key.pem')] as const
    await makeCertificate(...paths)
    return Promise.all(paths.map((path) => readFile(path)))
  })
  const server = createSecureServer({ cert, key }).listen(0, '127.0.0.1')
  const visitors: (string | undefined)[] = []
  server.on('stream', (stream, headers) => {
    visitors.push(stream.session?.socket.remoteAddress)
    stream.on('error', () => {}) // its own reset
    const isRefused = headers[':path'] === '/refused'
    stream.respond({ ':status': isRefused ? 503 : 200 })
    if (headers[':path'] !== '/reset') return stream.end('body')
    stream.write('half of the bo', () => stream.destroy(new Error('broken off')))
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const visitor = await connectVisitor({ name: 'img.example.com', port, ca: cert as Buffer }, '127.0.0.7')
  onTestFinished(() => {
    visitor.close()
    server.close()
  })

  const { statuses } = await visitor.load(['/whole', '/refused', '/whole', '/reset'])
  expect(Object.fromEntries(statuses)).toEqual({ 200: 2, 503: 1, [brokenOff]: 1 })
  expect(visitors).toEqual(Array(4).fill('127.0.0.7'))
})
