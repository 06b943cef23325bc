import { focusManager, queryOptions, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { queryClient, refresh, updateCached } from './query-client.ts'
import { setToken } from './token.ts'

const names = queryOptions({ queryKey: ['names'], queryFn: () => load() })

let subscriptions: (() => void)[] = []
/** Resolve the requests; the test decides when. */
let responses: ((names: string[]) => void)[] = []
const load = () => new Promise<string[]>((resolve) => responses.push(resolve))

afterEach(() => {
  for (const end of subscriptions) end()
  subscriptions = []
  queryClient.clear()
  responses = []
})

/** Stands for a screen that shows the names. */
function observe(options: { refetchOnWindowFocus?: 'always' } = {}) {
  const observer = new QueryObserver(queryClient, { ...names, ...options })
  subscriptions.push(observer.subscribe(() => {}))
  return { shown: () => observer.getCurrentResult().data, status: () => observer.getCurrentResult().status }
}

test('a change of cached data shows at once', async () => {
  const { shown } = observe()
  responses[0]?.(['a', 'b'])
  await vi.waitFor(() => expect(shown()).toEqual(['a', 'b']))
  updateCached(names, (known) => known.filter((name) => name !== 'a'))
  expect(shown()).toEqual(['b'])
  expect(responses).toHaveLength(1)
})

test('a load that was under way during a change does not undo it', async () => {
  const { shown } = observe()
  responses[0]?.(['a', 'b'])
  await vi.waitFor(() => expect(shown()).toEqual(['a', 'b']))
  void refresh(names)
  expect(responses).toHaveLength(2)
  updateCached(names, (known) => known.filter((name) => name !== 'a'))
  expect(responses).toHaveLength(3)
  responses[1]?.(['a', 'b'])
  await new Promise((resolve) => setTimeout(resolve))
  expect(shown()).toEqual(['b'])
  responses[2]?.(['b', 'c'])
  await vi.waitFor(() => expect(shown()).toEqual(['b', 'c']))
})

test('a change during the first load starts it again', async () => {
  const { shown, status } = observe()
  updateCached(names, (known) => known.filter((name) => name !== 'a'))
  expect(responses).toHaveLength(2)
  responses[0]?.(['a', 'b'])
  await new Promise((resolve) => setTimeout(resolve))
  expect(status()).toBe('pending')
  responses[1]?.(['b'])
  await vi.waitFor(() => expect(shown()).toEqual(['b']))
})

test('the focus of the window loads again only queries that request it', async () => {
  const { shown } = observe()
  responses[0]?.(['a'])
  await vi.waitFor(() => expect(shown()).toEqual(['a']))
  focusManager.onFocus()
  await new Promise((resolve) => setTimeout(resolve))
  expect(responses).toHaveLength(1)
  observe({ refetchOnWindowFocus: 'always' })
  await vi.waitFor(() => expect(responses).toHaveLength(2))
  responses[1]?.(['b'])
  await vi.waitFor(() => expect(shown()).toEqual(['b']))
  focusManager.onFocus()
  await vi.waitFor(() => expect(responses).toHaveLength(3))
})

test('the end of the session empties the cache, and a response that arrives later does not refill it', async () => {
  observe()
  setToken('first')
  responses[0]?.(['a'])
  await vi.waitFor(() => expect(queryClient.getQueryData(names.queryKey)).toEqual(['a']))
  void refresh(names)
  setToken(null)
  responses[1]?.(['a', 'b'])
  await new Promise((resolve) => setTimeout(resolve))
  expect(queryClient.getQueryData(names.queryKey)).toBeUndefined()
})
