// F6: the bucket behind a connection that fails in every way. No client waits long, none gets wrong bytes, and every row has its object.
import { join } from 'node:path'
import type { RunningServer } from '../e2e/server.ts'
import type { S3Server } from '../server/testing/s3-server.ts'
import { openBucket } from './bucket.ts'
import { call, type CallResponse, described, originalAt, register } from './client.ts'
import { type Acknowledged, Ledger } from './ledger.ts'
import { jpeg } from './fault-images.ts'
import { atLeast, atMost, type Finding, type Form, info, inFull, none, type Scenario } from './scenario.ts'
import { startProxy, type TcpProxy } from '../server/testing/tcp-proxy.ts'
import { malformed, refusalViolation } from './failure-response.ts'
import { type Defer, openServer } from './resources.ts'
import { queryRows } from './sqlite-file.ts'
import { untilTrue } from './until.ts'
import { filesIn, sha256 } from './verify.ts'

/** The store's timeout for S3, plus a second for the server itself. */
const longestMs = 11_000
const backWithinMs = 15_000

interface Mode {
  name: string
  begin(line: TcpProxy, s3: S3Server): void
  /** Seconds per request: only in the full form. */
  isSlow?: true
  /** With altered bytes 500 is a correct response as well, since a bucket with damaged objects is not unavailable. */
  isDamage?: true
}

const modes: Mode[] = [
  { name: '503 SlowDown', begin: (_, s3) => s3.failAlways('slow-down'), isSlow: true },
  { name: 'reset at half', begin: (line) => line.behave({ resetAfterBytes: 6000 }) },
  { name: 'wrong bytes in responses', begin: (_, s3) => s3.failAlways('wrong-byte'), isDamage: true },
  { name: 'wrong bytes on the line', begin: (line) => line.behave({ flipEvery: 9001 }), isDamage: true, isSlow: true },
  { name: 'black hole', begin: (line) => line.behave('black-hole'), isSlow: true },
  { name: '5 s latency', begin: (line) => line.behave({ delayMs: 5000 }), isSlow: true },
  { name: '1 KB/s', begin: (line) => line.behave({ bytesPerSecond: 1024 }), isSlow: true },
  { name: 'refused', begin: (line) => line.behave('refuse') },
]

export const scenario: Scenario = {
  id: 'F6',
  title: 'S3 behind a line that fails in eight ways',
  run,
}

interface Scene {
  server: RunningServer
  line: TcpProxy
  s3: S3Server
  image: Buffer
  ledger: Ledger
  wrongs: string[]
  waitsMs: number[]
  refused: number
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const { s3, settings } = await openBucket(defer)
  const line = await startProxy(Number(new URL(s3.endpoint).port))
  defer(line.stop)
  const server = await openServer(defer, { env: { ...settings, S3_ENDPOINT: `http://127.0.0.1:${line.port}` } })
  const scene: Scene = {
    server,
    line,
    s3,
    // More than the server caches: each request reaches the store.
    image: await jpeg(2000, 1400, 7),
    ledger: new Ledger(),
    wrongs: [],
    waitsMs: [],
    refused: 0,
  }
  const ways = modes.filter(({ isSlow }) => form === 'full' || !isSlow)
  let unasked = 0
  const backMs: number[] = []
  const token = await register(server.url, 'line@example.com')
  await scene.ledger.learn(server.url, scene.image, { token })
  for (let n = 0; n < 3; n++) await put(scene)
  for (const mode of ways) {
    mode.begin(line, s3)
    // Four: below the circuit breaker's threshold when it is not the subject of the test.
    for (let n = 0; n < 2; n++) await put(scene, mode)
    for (let n = 0; n < 2; n++) await get(scene, mode)
    await cached(scene)
    if (mode.name === 'refused') unasked = await untilNobodyAsks(scene, mode)
    line.behave(undefined)
    s3.failAlways(undefined)
    backMs.push(await untilBack(scene))
    if (form === 'full') console.log(`  ${mode.name}: done, ${scene.wrongs.length} wrongs`)
  }
  scene.wrongs.push(...(await scene.ledger.violations(server.url, { variantsOfEvery: 1 })))
  await server.stop().then((code) => code === 0 || scene.wrongs.push(`the server ended with ${code}`))
  return [
    info('ways to fail', ways.length),
    info('uploads acknowledged', scene.ledger.acknowledged.length),
    atLeast('requests refused with 503, {error, code} and Retry-After', scene.refused, 5),
    none('other responses, wrong bytes, lost images, cached variants not served', scene.wrongs),
    atLeast('immediate responses without a request to S3, once the circuit is open', unasked, 3),
    none('rows without their object, temporary files', await liesIn(scene)),
    inFull(atMost('longest response', Math.max(...scene.waitsMs), longestMs, ' ms')),
    inFull(atMost('longest way back', Math.max(...backMs), backWithinMs, ' ms')),
  ]
}

async function put(scene: Scene, mode?: Mode): Promise<void> {
  const reply = await scene.ledger.upload(scene.server.url, scene.image)
  scene.waitsMs.push(reply.tookMs)
  if (reply.status !== 201) judge(scene, `an upload (${mode?.name})`, reply, mode)
}

/** An original: the right bytes, or none with a failure that names the reason. */
async function get(scene: Scene, mode: Mode): Promise<CallResponse | undefined> {
  const { image } = scene.ledger.acknowledged[0] as Acknowledged
  try {
    const reply = await call(originalAt(scene.server.url, image))
    scene.waitsMs.push(reply.tookMs)
    if (reply.status === 200) {
      if (reply.headers.etag !== `"${sha256(reply.body)}"`) scene.wrongs.push(`${mode.name}: other bytes were served`)
    } else judge(scene, `an original (${mode.name})`, reply, mode)
    return reply
  } catch (error) {
    scene.wrongs.push(`an original (${mode.name}): ${String(error)}`)
    return undefined
  }
}

/** @param mode undefined: the connection works */
function judge(scene: Scene, what: string, reply: CallResponse, mode: Mode | undefined): void {
  if (mode?.isDamage === true && reply.status === 500 && malformed(reply) === undefined) return
  if (mode && refusalViolation(reply) === undefined) scene.refused++
  else scene.wrongs.push(`${what} responds with ${described(reply)}`)
}

/** Thumbnails are rendered at the upload and cached locally: an unavailable bucket must not affect them. */
async function cached({ server, ledger, wrongs }: Scene): Promise<void> {
  for (const { image } of ledger.acknowledged) {
    const { status } = await call(`${server.url}/api/thumbnail/${image.id}/400`)
    if (status !== 200) wrongs.push(`a cached thumbnail responds with ${status}`)
  }
}

/** Sends requests until the circuit is open. @returns how many responses came without a request to S3 */
async function untilNobodyAsks(scene: Scene, mode: Mode): Promise<number> {
  let unasked = 0
  for (let n = 0; n < 40 && unasked < 3; n++) {
    const before = scene.line.connections()
    const reply = await get(scene, mode)
    if (reply?.status === 503 && scene.line.connections() === before) unasked++
  }
  await cached(scene)
  return unasked
}

/** Requests an original until it is served again. @returns milliseconds; a violation after half a minute */
async function untilBack(scene: Scene): Promise<number> {
  const { image } = scene.ledger.acknowledged[0] as Acknowledged
  const isBack = async () => (await call(originalAt(scene.server.url, image))).status === 200
  const tookMs = await untilTrue(isBack, 30_000, 100)
  if (tookMs === Infinity) scene.wrongs.push('not back 30 s after the line was')
  return tookMs
}

async function liesIn({ server, s3 }: Scene): Promise<string[]> {
  const rows = await queryRows<{ id: string; sha256: string }>(server.dataDir, 'SELECT id, sha256 FROM images')
  return [
    ...rows.flatMap(({ id, sha256: acknowledged }) => {
      const object = s3.objects.get(`originals/${id}`)
      if (!object) return ['a row without its object']
      return sha256(object.bytes) === acknowledged ? [] : ['an object with other bytes than its row says']
    }),
    ...(await filesIn(join(server.dataDir, 'tmp'))).map(() => 'a temporary file'),
  ]
}
