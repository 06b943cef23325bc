// Clients of the tus protocol against the built product, over a line that breaks and a server that is killed.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import Uppy from '@uppy/core'
import UppyTus from '@uppy/tus'
import * as tus from 'tus-js-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildCatalogue } from '../../contract/derive/catalogue.ts'
import type { UploadedImage } from '../../contract/endpoints/images.ts'
import { resumableExample } from '../../contract/derive/samples/examples.ts'
import { noise, pixelsOf } from '../e2e-images.ts'
import { startServer, type RunningServer } from '../server.ts'

let image: Buffer
let server: RunningServer
beforeAll(async () => {
  image = await noise(1000)
  server = await startServer()
}, 60_000)
afterAll(() => server.stop())

/** @returns the body of the last response */
function upload(endpoint: string, options: tus.UploadOptions = {}): Promise<UploadedImage> {
  return new Promise((resolve, reject) => {
    new tus.Upload(image, {
      endpoint,
      metadata: { filename: 'photo.png' },
      // The server that was killed may take long to start: until the end of the test.
      retryDelays: Array<number>(1000).fill(100),
      ...options,
      onSuccess: ({ lastResponse }) => resolve(JSON.parse(lastResponse.getBody()) as UploadedImage),
      onError: reject,
    }).start()
  })
}

async function expectWhole({ url }: Pick<UploadedImage, 'url'>): Promise<void> {
  const served = Buffer.from(await (await fetch(url)).arrayBuffer())
  expect((await pixelsOf(served)).equals(await pixelsOf(image))).toBe(true)
}

it('tus-js-client uploads in chunks, and with the first bytes in the first request', async () => {
  await expectWhole(await upload(`${server.url}/api/uploads`, { chunkSize: 500_000 }))
  await expectWhole(await upload(`${server.url}/api/uploads`, { uploadDataDuringCreation: true }))
})

it('@uppy/tus uploads', async () => {
  const uppy = new Uppy().use(UppyTus, { endpoint: `${server.url}/api/uploads` })
  // In Node tus-js-client reads buffers, where browsers have files.
  const data = Object.assign(Buffer.from(image), { size: image.length }) as unknown as File
  uppy.addFile({ name: 'uppy.png', type: 'image/png', data })
  const result = await uppy.upload()
  uppy.destroy()
  expect(result?.failed).toEqual([])
  expect(result?.successful?.map(({ response }) => response?.uploadURL)).toEqual([
    expect.stringContaining(`${server.url}/api/uploads/`),
  ])
})

it('the sample of the documentation uploads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'image-host-sample-'))
  try {
    await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'photo.jpg'), image)
    await writeFile(join(folder, 'sample.mjs'), resumableExample(buildCatalogue(), { base: server.url }))
    const { stdout } = await promisify(execFile)(process.execPath, ['sample.mjs'], { cwd: folder })
    expect(stdout).toContain(`${image.length} of ${image.length} bytes`)
    const url = /url: '([^']+)'/.exec(stdout)?.[1] ?? ''
    await expectWhole({ url })
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('sends at most 5 % twice when the line is cut and the server killed at 30, 60 and 90 %', async () => {
  const cutsAt = [0.3, 0.6, 0.9].map((share) => share * image.length)
  const line = await openLine(server, async (sentBytes, cut) => {
    if (sentBytes < (cutsAt[0] ?? Infinity)) return
    cutsAt.shift()
    cut()
    const { dataDir, url } = server
    await server.kill()
    server = await startServer({ dataDir, port: Number(new URL(url).port) })
  })
  try {
    await expectWhole(await Promise.race([upload(`${line.url}/api/uploads`), line.failure]))
    expect(cutsAt).toEqual([])
    // With the heads of the requests.
    expect(line.sentBytes()).toBeLessThan(1.05 * image.length)
  } finally {
    await line.close()
  }
}, 120_000)

interface Line {
  url: string
  /** From clients, over all connections. */
  sentBytes(): number
  /** Rejects when the server does not come back. */
  failure: Promise<never>
  close(): Promise<void>
}

/**
 * A line that is slower than the server: it sends a chunk when the server has stored the ones before.
 * @param onBytes may cut the connections
 */
async function openLine(
  { url, dataDir }: RunningServer,
  onBytes: (sent: number, cut: () => void) => Promise<void>,
): Promise<Line> {
  let sent = 0
  const sockets = new Set<Socket>()
  let fail: (error: unknown) => void = () => {}
  const failure = new Promise<never>((_, reject) => (fail = reject))
  failure.catch(() => {})
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  // New connections wait for it: what a client sends while the server is down would be taken, and count.
  let interruption = Promise.resolve()
  const relay = async (client: Socket) => {
    await interruption
    const upstream = connect(Number(new URL(url).port), '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      // A cut resets it.
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    upstream.pipe(client)
    const storedBefore = await storedBytes(dataDir)
    let forwarded = 0
    let hasStored = false
    const isStored = (stored: number) => {
      hasStored ||= stored > 0
      // All are deleted when the image is stored.
      return stored - storedBefore >= forwarded - chunkBytes || (hasStored && stored === 0)
    }
    const forward = async (chunk: Buffer) => {
      client.pause()
      sent += chunk.length
      forwarded += chunk.length
      upstream.write(chunk)
      while (!client.destroyed && !isStored(await storedBytes(dataDir))) await setTimeout(1)
      interruption = onBytes(sent, cut)
      await interruption
      client.resume()
    }
    client.on('data', (chunk) => void forward(chunk).catch(fail))
  }
  const listener = createServer({ highWaterMark: chunkBytes }, (client) => void relay(client))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    sentBytes: () => sent,
    failure,
    async close() {
      cut()
      listener.close()
      await once(listener, 'close')
    },
  }
}

const chunkBytes = 16 * 1024

/** Of the uploads that are not complete. */
async function storedBytes(dataDir: string): Promise<number> {
  const folder = join(dataDir, 'resumable')
  const names = (await readdir(folder)).filter((name) => !name.includes('.'))
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
