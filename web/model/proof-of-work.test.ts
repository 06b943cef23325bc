import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { firstWordOfSha256, solveChallenge } from './proof-of-work.ts'

it('firstWordOfSha256 is that of SHA-256, for every length of one block', () => {
  for (let length = 0; length <= 55; length++) {
    const text = 'abcdefghij-0123456789_'.repeat(3).slice(0, length)
    expect(firstWordOfSha256(text)).toBe(createHash('sha256').update(text).digest().readUInt32BE(0))
  }
})

it('solveChallenge finds a number whose hash begins with the bits of the challenge', async () => {
  const challenge = '10.1999999999.AAAAAAAAAAAAAAAAAAAAAA.signature'
  const proof = await solveChallenge(challenge)
  expect(proof.startsWith(`${challenge}.`)).toBe(true)
  const solution = proof.slice(challenge.length + 1)
  expect(createHash('sha256').update(`AAAAAAAAAAAAAAAAAAAAAA.${solution}`).digest().readUInt32BE(0)).toBeLessThan(
    2 ** 22,
  )
})

it('solveChallenge stops when it is aborted', async () => {
  const stop = new AbortController()
  const solving = solveChallenge('32.1999999999.AAAAAAAAAAAAAAAAAAAAAA.signature', stop.signal)
  stop.abort()
  await expect(solving).rejects.toMatchObject({ name: 'AbortError' })
})
