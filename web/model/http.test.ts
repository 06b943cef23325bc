import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sendEarlyRequests } from './early-requests.ts'
import { client } from './http.ts'
import { retryWaits } from './retry-waits.ts'
import { setToken } from './token.ts'

/** The page's addresses are relative. */
class RequestOnPage extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input instanceof Request ? input : new URL(input, 'http://server'), init)
  }
}

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue(undefined)
  vi.stubGlobal('Request', RequestOnPage)
  vi.useFakeTimers()
})
afterEach(() => {
  setToken(null)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const refusal = (status: number, headers = {}) => Response.json({ error: 'No', code: 'no' }, { status, headers })
const silence = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

interface Outcome {
  requests: number
  seconds: number
  error: string
}

/** Opens a page whose script takes the user a second later. */
async function open(isEarly: boolean, respond: (signal: AbortSignal) => Promise<Response>): Promise<Outcome> {
  let requests = 0
  vi.stubGlobal('fetch', (input: Request | string, init?: RequestInit) => {
    requests++
    return respond(input instanceof Request ? input.signal : (init?.signal as AbortSignal))
  })
  setToken('a-token')
  const start = Date.now()
  if (isEarly) {
    void sendEarlyRequests('/account', 'a-token')
    await vi.advanceTimersByTimeAsync(1000)
  }
  let end: { atMs: number; error: unknown } | undefined
  client.getMe().then(
    () => (end = { atMs: Date.now(), error: '' }),
    (error: unknown) => (end = { atMs: Date.now(), error }),
  )
  while (end === undefined) await vi.advanceTimersByTimeAsync(100)
  return { requests, seconds: Math.floor((end.atMs - start) / 1000), error: String(end.error) }
}

for (const isEarly of [false, true]) {
  const title = isEarly ? 'a request of the document and those of the script together' : 'the requests of the script'
  test(`${title} give a silent server up after 10 seconds`, async () => {
    expect(await open(isEarly, silence)).toMatchObject({ requests: 1, seconds: 10 })
  })
  test(`${title} ask a busy server four times`, async () => {
    expect(await open(isEarly, async () => refusal(503))).toMatchObject({ requests: 4 })
  })
  test(`${title} ask once when the server refuses`, async () => {
    expect(await open(isEarly, async () => refusal(404))).toMatchObject({ requests: 1 })
  })
  test(`${title} ask a full server once`, async () => {
    expect(await open(isEarly, async () => refusal(507))).toMatchObject({ requests: 1 })
  })
  test(`${title} ask four times without a connection`, async () => {
    expect(await open(isEarly, () => Promise.reject(new TypeError('Failed to fetch')))).toMatchObject({ requests: 4 })
  })
}

test.each([
  ['a rate limit', 429, '20', 20],
  ['a busy server', 503, '3', 3],
  ['a date', 503, new Date(30_000).toUTCString(), 30],
  ['a date in the past', 503, new Date(0).toUTCString(), 0],
])('%s is waited for', async (_, status, retryAfter, seconds) => {
  vi.setSystemTime(0)
  let isFirst = true
  const answer = async () => {
    if (!isFirst) return Response.json({})
    isFirst = false
    return refusal(status, { 'retry-after': retryAfter })
  }
  expect(await open(false, answer)).toEqual({ requests: 2, seconds, error: '' })
})

test('a wait of more than a minute is left to the user', async () => {
  expect(await open(false, async () => refusal(429, { 'retry-after': '61' }))).toMatchObject({
    requests: 1,
    seconds: 0,
  })
})

test('a change is never sent twice', async () => {
  const fetched = vi.fn(async () => refusal(503, { 'retry-after': '1' }))
  vi.stubGlobal('fetch', fetched)
  await expect(client.logout()).rejects.toMatchObject({ status: 503 })
  expect(fetched).toHaveBeenCalledOnce()
})

test('a wait is shown until the next attempt', async () => {
  const shown: (number | undefined)[] = []
  const stop = retryWaits.subscribe(() => shown.push(retryWaits.get()[0]?.status))
  await open(false, async () => refusal(429, { 'retry-after': '2' }))
  stop()
  expect(shown).toEqual([429, undefined, 429, undefined, 429, undefined])
})

const silentBody = (signal: AbortSignal) => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{'))
      signal.addEventListener('abort', () => controller.error(signal.reason))
    },
  })
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

test.each([false, true])('a body that does not end has the time limit of its request, early: %s', async (isEarly) => {
  expect(await open(isEarly, async (signal) => silentBody(signal))).toMatchObject({ requests: 1, seconds: 10 })
})

test('a connection that is lost in the middle of a body is tried again', async () => {
  const cut = () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new TypeError('network error')) })
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  }
  expect(await open(false, async () => cut())).toMatchObject({ requests: 4 })
})
