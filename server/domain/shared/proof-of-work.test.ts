// Registrations, guest uploads and reports with PROOF_OF_WORK; web/model/proof-of-work.test.ts tests the page's part.
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../../contract/plain/limits.ts'
import type { Config } from '../../config.ts'
import { type ApiResponse, startTestApp, type TestApp } from '../../testing/app.ts'
import { isShortRun } from '../../testing/short-run.ts'
import { jpeg } from '../../testing/test-images.ts'
import { leadingZeroBits } from './proof-of-work.ts'

const image = await jpeg(20, 20)
let app: TestApp
let reported: string
let byDefault: Config['PROOF_OF_WORK']
beforeAll(async () => {
  app = await startTestApp()
  byDefault = app.deps.config.PROOF_OF_WORK
  reported = (await app.upload(image)).body.id
})
// Past the window of the requests that earlier tests made.
beforeEach(() => {
  app.moveClock(2 * limits.proofOfWork.windowMs)
  demand(byDefault)
})
afterAll(() => app.stop())
const demand = (setting: Config['PROOF_OF_WORK']) => {
  app.deps.config.PROOF_OF_WORK = setting
}

async function solve(challenge: string, bits: number = limits.proofOfWork.bits): Promise<string> {
  const nonce = challenge.split('.')[2]
  for (let n = 0; ; n++) {
    // Seconds on a busy machine. Server and client must see meanwhile that an idle connection has expired.
    if (n % 10_000 === 0) await setImmediate()
    if (leadingZeroBits(createHash('sha256').update(`${nonce}.${n}`).digest()) >= bits) return `${challenge}.${n}`
  }
}
const withProof = (proof?: string) => (proof === undefined ? {} : { headers: { 'x-proof-of-work': proof } })
const actions: [what: string, act: (proof?: string) => Promise<ApiResponse>][] = [
  [
    'a registration',
    (proof) => {
      const body = { email: `user-${crypto.randomUUID()}@example.com`, password: 'secret-1' }
      return app.call('POST', '/api/register', { body, ...withProof(proof) })
    },
  ],
  ["a guest's upload", (proof) => app.upload(image, withProof(proof))],
  [
    'a report',
    (proof) => app.call('POST', '/api/reports', { body: { image: reported, reason: 'spam' }, ...withProof(proof) }),
  ],
]
const challengeOf = ({ status, body, headers }: ApiResponse) => {
  expect([status, body.code]).toEqual([428, 'proof_of_work_required'])
  return headers.get('x-challenge') ?? ''
}

describe.each(actions)('%s', (what, act) => {
  it('needs no proof by default', async () => {
    expect((await act()).status).toBe(201)
  })

  it('needs a proof with PROOF_OF_WORK=on, and each proof works once', async () => {
    demand(0)
    const proof = await solve(challengeOf(await act()))
    expect((await act(proof)).status).toBe(201)
    challengeOf(await act(proof))
  })

  it('needs a proof after two free requests in an hour with PROOF_OF_WORK=after:2', async () => {
    demand(2)
    expect([(await act()).status, (await act()).status]).toEqual([201, 201])
    expect((await act(await solve(challengeOf(await act())))).status).toBe(201)
    app.moveClock(limits.proofOfWork.windowMs)
    expect((await act()).status).toBe(201)
  })

  // It computes the most. A short run shows it for one of the three.
  it.skipIf(isShortRun && what !== 'a registration')(
    'is refused with a proof that is forged, expired, too easy or malformed',
    async () => {
      demand(0)
      const challenge = challengeOf(await act())
      const proof = await solve(challenge)
      const [bits, expiry, nonce, signature] = challenge.split('.')
      let easy = 0
      while (leadingZeroBits(createHash('sha256').update(`${nonce}.${easy}`).digest()) >= limits.proofOfWork.bits)
        easy++
      const wrong = [
        `${challenge}.${easy}`,
        challenge,
        await solve(`1.${expiry}.${nonce}.${signature}`, 1),
        proof.replace(`.${expiry}.`, `.${Number(expiry) + 1}.`),
        proof.replace(`${bits}.`, '99.'),
        'x'.repeat(200),
        '',
      ]
      for (const one of wrong) challengeOf(await act(one))
      app.moveClock(limits.proofOfWork.challengeMs + 2000)
      challengeOf(await act(proof))
    },
  )
})

describe('several images in one upload of a guest', () => {
  const send = (count: number, proof?: string) => {
    const body = new FormData()
    for (let n = 0; n < count; n++) body.append('list', new Blob([new Uint8Array(image)]), 'a.jpg')
    return app.request('/upload', { method: 'POST', body, ...withProof(proof) })
  }
  const countImages = async () => (await app.deps.db.selectFrom('images').select('id').execute()).length

  it('need more than one proof', async () => {
    demand(0)
    const proof = await solve((await send(2)).headers.get('x-challenge') ?? '')
    const before = await countImages()
    const response = await send(2, proof)
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('Send one at a time')])
    expect(await countImages()).toBe(before)
  })

  it('each use up a free request', async () => {
    demand(3)
    expect([(await send(2)).status, (await send(1)).status, (await send(1)).status]).toEqual([200, 200, 428])
  })
})

it('an upload with a session or an API key needs no proof', async () => {
  const { token } = await app.newUser()
  const { key } = (await app.call('POST', '/api/api-keys', { token, body: {} })).body
  demand(0)
  for (const credential of [token, key]) expect((await app.upload(image, { token: credential })).status).toBe(201)
  expect((await app.upload(image)).status).toBe(428)
})
