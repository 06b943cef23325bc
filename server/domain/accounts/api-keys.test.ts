import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'

const minuteMs = 60_000

let app: TestApp
let token: string
let key: { id: string; key: string }
beforeAll(async () => {
  app = await startTestApp()
  token = (await app.newUser()).token
  key = (await app.call('POST', '/api/api-keys', { token, body: {} })).body
})
afterAll(() => app.stop())

const list = (credential: string) => app.call('GET', '/api/images', { token: credential })
const rowOf = (id: string) =>
  app.deps.db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The six characters that end a key. */
function sumOf(text: string): string {
  let rest = crc32(text)
  let sum = ''
  for (let n = 0; n < 6; n++) {
    sum = letters.charAt(rest % 62) + sum
    rest = Math.floor(rest / 62)
  }
  return sum
}
const otherLetter = (letter: string) => (letter === 'a' ? 'b' : 'a')
const changedAt = (text: string, at: number) => text.slice(0, at) + otherLetter(text.charAt(at)) + text.slice(at + 1)

describe('an API key', () => {
  it('is stored as its SHA-256 and its first eight characters', async () => {
    const { key_hash: hash, prefix } = await rowOf(key.id)
    expect([hash, prefix]).toEqual([createHash('sha256').update(key.key).digest('hex'), key.key.slice(0, 8)])
    expect(key.key.slice(-6)).toBe(sumOf(key.key.slice(0, -6)))
  })

  it.each<[string, (given: string) => string, number]>([
    ['as it was shown', (given) => given, 200],
    ['with a letter changed', (given) => changedAt(given, 20), 401],
    ['with its checksum changed', (given) => changedAt(given, given.length - 1), 401],
    ['with a letter changed and the right checksum', (given) => changedAt(given.slice(0, -6), 20), 401],
    ['of the same prefix and the right checksum', (given) => given.slice(0, 8) + '0'.repeat(38), 401],
    ['in another case', (given) => `ik_${given.slice(3).toLowerCase()}`, 401],
    ['without its last letter', (given) => given.slice(0, -1), 401],
    ['with a letter more', (given) => `${given}0`, 401],
    ['that is its prefix alone', (given) => given.slice(0, 8), 401],
    ['that is its hash', (given) => `ik_${createHash('sha256').update(given).digest('hex')}`, 401],
  ])('%s', async (_, change, status) => {
    const changed = change(key.key)
    // Where only the sum is missing, it is made.
    const sent = changed.length === key.key.length - 6 ? changed + sumOf(changed) : changed
    expect((await list(sent)).status).toBe(status)
  })

  it('is accepted in the headers that clients of other hosts use, and in no query', async () => {
    for (const path of [`/api/images?key=${key.key}`, `/api/images?token=${key.key}`]) {
      expect([400, 401]).toContain((await app.call('GET', path)).status)
    }
    const accepted = [
      ...['x-api-key', 'token', 'key'].map((name) => ({ [name]: key.key })),
      ...['', 'Bearer ', 'Api-Key ', 'Client-ID '].map((scheme) => ({ authorization: scheme + key.key })),
    ]
    for (const headers of accepted) expect((await app.call('GET', '/api/images', { headers })).status).toBe(200)
    const refused: Record<string, string>[] = [
      { authorization: `Basic ${key.key}` },
      { authorization: 'Client-ID other' },
      { 'x-api-key': `${key.key}x` },
      { token: 'other' },
    ]
    for (const headers of refused) expect((await app.call('GET', '/api/images', { headers })).status).toBe(401)
  })

  it('is never a session token', async () => {
    const sent: Record<string, string>[] = [
      { 'x-api-key': token },
      { token },
      { authorization: token },
      { authorization: `Api-Key ${token}` },
    ]
    for (const headers of sent) expect((await app.call('GET', '/api/me', { headers })).status).toBe(401)
  })

  it('has its last use written at most once a minute', async () => {
    const seen: (number | null)[] = []
    for (const moveMs of [0, 1000, minuteMs / 3, minuteMs, 1000]) {
      app.moveClock(moveMs)
      expect((await list(key.key)).status).toBe(200)
      seen.push((await rowOf(key.id)).last_used_at)
    }
    const [first, second, third, fourth, fifth] = seen
    expect(first).not.toBeNull()
    expect([second, third]).toEqual([first, first])
    expect(fourth).toBeGreaterThan(Number(first) + minuteMs)
    expect(fifth).toBe(fourth)
  })
})
