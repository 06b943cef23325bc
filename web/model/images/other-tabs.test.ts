import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const page = Object.assign(new EventTarget(), { hidden: false })
const hide = (isHidden: boolean) => {
  page.hidden = isHidden
  page.dispatchEvent(new Event('visibilitychange'))
}

/** What another tab of this browser receives; its messages reach this one through `say`. */
let sent: unknown[]
let say: (data: unknown) => void
class Channel {
  onmessage: (event: { data: unknown }) => void = () => {}
  constructor() {
    say = (data) => this.onmessage({ data })
  }
  postMessage(data: unknown) {
    sent.push(data)
  }
}

async function open() {
  const { session } = await import('../session.ts')
  session.set({ status: 'in', user: { id: 'mine', imageCount: 3, imageBytes: 30 } as never, needsSecondFactor: false })
  const { followTabs, tellTabs } = await import('./other-tabs.ts')
  const calls: (string | string[])[] = []
  followTabs((subjects) => void calls.push(subjects === 'all' ? subjects : [...subjects]))
  return { calls, tellTabs, session }
}
const change = (subject = 'images', userId = 'mine') => say({ userId, subject })

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  vi.resetModules()
  sent = []
  page.hidden = false
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('BroadcastChannel', Channel)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a tab tells what it has changed, with its account, and nothing as a guest', async () => {
  const { tellTabs, session } = await open()
  tellTabs('images')
  session.set({ status: 'out' })
  tellTabs('images')
  expect(sent).toEqual([{ userId: 'mine', subject: 'images' }])
})

test('several changes are one call, and those of another account none', async () => {
  const { calls } = await open()
  change('images', 'another')
  vi.advanceTimersByTime(60_000)
  expect(calls).toEqual([])
  change()
  change('api keys')
  change()
  vi.advanceTimersByTime(1000)
  expect(calls).toEqual([['images', 'api keys']])
})

test('while 2,000 images are uploaded a tab is called ever more rarely, and after the last', async () => {
  const { calls } = await open()
  for (let at = 0; at < 2000; at++) {
    change()
    vi.advanceTimersByTime(100)
  }
  // 1 + 2 + 4 + 8 s, and then every 16 s.
  expect(calls.length).toBeLessThanOrEqual(4 + 200 / 16)
  const before = calls.length
  change()
  vi.advanceTimersByTime(16_000)
  expect(calls.length).toBe(before + 1)
  vi.advanceTimersByTime(60_000)
  expect(calls.length).toBe(before + 1)
  change()
  vi.advanceTimersByTime(1000)
  expect(calls.length).toBe(before + 2)
})

test('a hidden tab is called once, when it is shown', async () => {
  const { calls } = await open()
  hide(true)
  for (let at = 0; at < 50; at++) change()
  vi.advanceTimersByTime(60_000)
  expect(calls).toEqual([])
  hide(false)
  expect(calls).toEqual([['images']])
})

test('a tab that was hidden for long is called without a message, unless it is offline', async () => {
  const { calls } = await open()
  hide(true)
  vi.advanceTimersByTime(6 * 60_000)
  hide(false)
  expect(calls).toEqual(['all'])
  vi.stubGlobal('navigator', { onLine: false })
  hide(true)
  vi.advanceTimersByTime(6 * 60_000)
  hide(false)
  expect(calls).toEqual(['all'])
})

test('the totals follow at once, in a hidden tab too', async () => {
  const { session } = await open()
  hide(true)
  say({ userId: 'mine', subject: 'images', added: { images: -1, bytes: -10 } })
  expect(session.get()).toMatchObject({ user: { imageCount: 2, imageBytes: 20 } })
})
