import { expect, it } from 'vitest'
import { createLinkDownloads } from './link-download-limits.ts'

const archives = { bytesPerHour: 1000, maxOfAddress: 2, maxOfAll: 3 }

function downloads(now = () => performance.now()) {
  const start = createLinkDownloads({ archives, now })
  const replaced: number[] = []
  let count = 0
  return {
    replaced,
    start(address: string, of = 'link', isResumed = false, visitor = { sent: '', next: '' }) {
      const number = ++count
      return start({ address, of, visitor, isResumed, onReplaced: () => void replaced.push(number) })
    },
  }
}

async function* chunks(count: number) {
  for (let n = 0; n < count; n++) yield new Uint8Array(100)
}

it('an address downloads a few files at a time, and all addresses together some more', () => {
  const { start } = downloads()
  const first = start('a')
  start('a')
  expect(() => start('a')).toThrow('Too many requests. Try again in 60 seconds')
  start('b')
  expect(() => start('c')).toThrow('busy')
  first.end()
  start('c')
})

it('what was sent counts, also of a download that was broken off, and the refusal says until when', async () => {
  const { start } = downloads()
  let sent = 0
  for await (const chunk of start('a').counted(chunks(20), 0)) {
    sent += chunk.length
    if (sent === 300) break
  }
  start('a').end()
  for await (const chunk of start('b').counted(chunks(15), 0)) sent += chunk.length
  expect(sent).toBe(1800)
  expect(() => start('b')).toThrow(/^Too many requests\. Try again in (18\d\d) seconds$/)
  start('c').end()
})

it('what a resumed download reads again counts a quarter', async () => {
  const { start } = downloads(() => 0)
  const resumed = start('a')
  let sent = 0
  // 950 bytes are read again, 1050 sent.
  for await (const chunk of resumed.counted(chunks(20), 950)) sent += chunk.length
  resumed.end()
  expect(sent).toBe(2000)
  // 237.5 + 1050 of 1000 are 287.5 too many, of which 0.278 return in a second.
  expect(() => start('a')).toThrow('Try again in 1039 seconds')
})

it('a resumed download takes the place of the one that stalled longest, of the same file', async () => {
  let at = 0
  const { start, replaced } = downloads(() => at)
  start('a')
  const second = start('a')
  at = 4999
  expect(() => start('a', 'link', true), 'none has stalled').toThrow('Too many requests')
  at = 5000
  expect(() => start('a', 'another', true)).toThrow('Too many requests')
  expect(() => start('a', 'link', false), 'a new download').toThrow('Too many requests')
  for await (const { length } of second.counted(chunks(1), 0)) expect([length, replaced]).toEqual([100, []])
  start('a', 'link', true)
  expect(replaced).toEqual([1])
  start('b')
  at = 10_000
  start('b', 'link', true)
  expect(replaced, 'of all addresses together').toEqual([1, 7])
})

it('of several people behind one address, a resumed download takes the place of its own alone', () => {
  let at = 0
  const { start, replaced } = downloads(() => at)
  start('a', 'link', false, { sent: 'ada', next: '' })
  start('a', 'link', false, { sent: '', next: 'ben' })
  at = 5000
  const resume = (sent: string) => start('a', 'link', true, { sent, next: '' })
  expect(() => resume('clara'), 'somebody else').toThrow('Too many requests')
  const resumed = resume('ben')
  expect(replaced).toEqual([2])
  resumed.end()
  start('a', 'link', false, { sent: 'clara', next: '' })
  resume('ada')
  expect(replaced).toEqual([2, 1])
})

it('a replaced download ends once', () => {
  let at = 0
  const { start } = downloads(() => at)
  const first = start('a')
  start('a')
  at = 5000
  start('a', 'link', true)
  first.end()
  expect(() => start('a')).toThrow('Too many requests')
})
