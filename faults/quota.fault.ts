// F16: clients that register and upload as fast as they get responses. Storage stops at every quota, on the disk and in a
// bucket, while registration, login, deletion and administration work.
import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '../contract/endpoints/accounts.ts'
import type { DatabaseStats } from '../contract/endpoints/operations.ts'
import type { S3Server } from '../server/testing/s3-server.ts'
import { type Bucket, openBucket } from './bucket.ts'
import {
  admin,
  adminSettings,
  call,
  type CallResponse,
  described,
  imageIn,
  logIn,
  register,
  requestJson,
  upload,
} from './client.ts'
import { failureIn } from './failure-response.ts'
import { jpeg } from './fault-images.ts'
import { type Defer, openServer } from './resources.ts'
import { atLeast, atMost, type Finding, type Form, none, type Scenario } from './scenario.ts'
import { leftoversIn } from './verify.ts'

const shape = {
  short: { crowdMs: 1500, clients: 4, limits: { account: 150_000, guests: 200_000, all: 600_000 }, least: 5 },
  full: { crowdMs: 300_000, clients: 16, limits: { account: 3e6, guests: 10e6, all: 60e6 }, least: 500 },
} as const
/** The crowd goes on until it was refused by every quota, at most this much longer. */
const fillWithinMs = 40_000
const refusals = ['quota_exceeded', 'guest_quota_full', 'total_quota_full'] as const

export const scenario: Scenario = {
  id: 'F16',
  title: 'a crowd that registers and uploads, against every quota',
  run,
}

interface Scene {
  url: string
  images: Buffer[]
  adminToken: string
  isOver: () => boolean
  refused: Record<string, number>
  stored: number
  wrongs: string[]
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const images = await Promise.all(Array.from({ length: 6 }, (_, seed) => jpeg(500 + 40 * seed, 400, seed)))
  return [...(await crowded(form, defer, images)), ...(await crowded(form, defer, images, await openBucket(defer)))]
}

/** @param bucket where images are stored. Default: on the disk */
async function crowded(form: Form, defer: Defer, images: Buffer[], bucket?: Bucket): Promise<Finding[]> {
  const store = bucket ? 'bucket' : 'disk'
  const { crowdMs, clients, limits, least } = shape[form]
  const quotas = {
    USER_QUOTA_BYTES: String(limits.account),
    GUEST_QUOTA_BYTES: String(limits.guests),
    MAX_STORAGE_BYTES: String(limits.all),
  }
  const server = await openServer(defer, { env: { ...adminSettings, ...quotas, ...bucket?.settings } })
  const start = performance.now()
  const refused = Object.fromEntries(refusals.map((code) => [code, 0]))
  const isFilled = () => refusals.every((code) => refused[code] !== 0)
  const scene: Scene = {
    url: server.url,
    images,
    adminToken: await logIn(server.url, admin),
    isOver: () => {
      const tookMs = performance.now() - start
      return tookMs > crowdMs && (isFilled() || tookMs > crowdMs + fillWithinMs)
    },
    refused,
    stored: 0,
    wrongs: [],
  }
  const crowd = Array.from({ length: clients }, (_, at) => (at % 2 === 0 ? guest(scene, at) : newcomer(scene, at)))
  await Promise.all([...crowd, bystander(scene)])
  const most = await mostStored(scene)
  await server.stop().then((code) => code === 0 || scene.wrongs.push(`the server ended with ${code}`))
  return [
    atLeast(`${store}: uploads stored`, scene.stored, least),
    ...refusals.map((code) => atLeast(`${store}: uploads refused with ${code}`, refused[code] ?? 0, 1)),
    atMost(`${store}: most bytes of an account`, most.account, limits.account),
    atMost(`${store}: bytes of guests`, most.guests, limits.guests),
    atMost(`${store}: bytes of all`, most.all, limits.all),
    none(
      `${store}: unexpected responses, to the crowd or to registration, login, deletion and the admin`,
      scene.wrongs,
    ),
    none(
      `${store}: rows without bytes, bytes without a row`,
      await leftoversIn(server.dataDir, bucket && originalsIn(bucket.s3)),
    ),
  ]
}

/** The ids of the stored objects. */
const originalsIn = ({ objects }: S3Server) => [...objects.keys()].map((key) => key.replace('originals/', ''))

async function guest(scene: Scene, at: number): Promise<void> {
  for (let n = at; !scene.isOver(); n++) await send(scene, n)
}

/** Opens a new account whenever the quota of the last one is used. Begins when that of the guests is, or they never reach it. */
async function newcomer(scene: Scene, at: number): Promise<void> {
  while (!scene.isOver() && scene.refused['guest_quota_full'] === 0) await sleep(50)
  for (let account = 0; !scene.isOver(); account++) {
    const token = await register(scene.url, `crowd-${at}-${account}@example.com`)
    for (let n = at; !scene.isOver(); n++) if ((await send(scene, n, token)) === 'quota_exceeded') break
  }
}

/** @returns the code of a failure */
async function send(scene: Scene, n: number, token?: string): Promise<string | undefined> {
  const image = scene.images[n % scene.images.length] as Buffer
  const reply = await upload(scene.url, image, token === undefined ? {} : { token })
  if (reply.status === 201) return void scene.stored++
  const code = String(failureIn(reply.body).code)
  if (code in scene.refused) scene.refused[code] = (scene.refused[code] ?? 0) + 1
  // Decoders may be busy: the crowd may send more than two cores decode.
  else if (code !== 'busy') scene.wrongs.push(`an upload got ${reply.status} ${code}`)
  return code
}

/** Someone who registers, logs in, uploads and deletes, and an admin who looks at it. */
async function bystander(scene: Scene): Promise<void> {
  const { url, adminToken } = scene
  for (let n = 0; !scene.isOver(); n++) {
    const email = `bystander-${n}@example.com`
    await register(url, email)
    const token = await logIn(url, email)
    const stored = await upload(url, scene.images[0] as Buffer, { token })
    if (stored.status === 201) {
      const { id } = imageIn(stored)
      expectOk(scene, 'a deletion', await call(`${url}/api/images/${id}`, { method: 'DELETE', token }))
    }
    for (const path of ['/api/users?limit=5', '/api/database/stats', '/api/database/cleanup'])
      expectOk(scene, path, await call(url + path, { token: adminToken }))
    await sleep(100)
  }
}

function expectOk({ wrongs }: Scene, what: string, reply: CallResponse): void {
  if (reply.status !== 200) wrongs.push(`${what} got ${described(reply)}`)
}

async function mostStored({ url, adminToken }: Scene): Promise<{ account: number; guests: number; all: number }> {
  const read = <T>(path: string) => requestJson<T>(url + path, { token: adminToken })
  const { totalStorage, guestBytes } = await read<DatabaseStats>('/api/database/stats')
  const users = await read<User[]>('/api/users?limit=200&q=crowd-')
  return { account: Math.max(...users.map(({ imageBytes }) => imageBytes)), guests: guestBytes, all: totalStorage }
}
