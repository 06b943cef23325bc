import { expect, it } from 'vitest'
import { createLinkDownloads } from './link-download-limits.ts'

const limits = { bytesPerHour: 1000, maxOfAddress: 2, maxOfAll: 3 }

async function* chunks(count: number) {
  for (let n = 0; n < count; n++) yield new Uint8Array(100)
}

it('an address downloads a few files at a time, and all addresses together some more', () => {
  const start = createLinkDownloads(limits)
  const first = start('a')
  start('a')
  expect(() => start('a')).toThrow('Too many requests. Try again in 60 seconds')
  start('b')
  expect(() => start('c')).toThrow('busy')
  first.end()
  start('c')
})

it('what was sent counts, also of a download that was broken off, and the refusal says until when', async () => {
  const start = createLinkDownloads(limits)
  let sent = 0
  for await (const chunk of start('a').counted(chunks(20))) {
    sent += chunk.length
    if (sent === 300) break
  }
  start('a').end()
  for await (const chunk of start('b').counted(chunks(15))) sent += chunk.length
  expect(sent).toBe(1800)
  expect(() => start('b')).toThrow(/^Too many requests\. Try again in (18\d\d) seconds$/)
  start('c').end()
})
