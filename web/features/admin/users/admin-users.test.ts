import { InfiniteQueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { User } from '../../../../contract/endpoints/accounts.ts'
import { ApiError } from '../../../model/api-error.ts'

const client = vi.hoisted(() => ({ createUser: vi.fn(), listUsers: vi.fn(), updateUser: vi.fn() }))
vi.mock('../../../model/http.ts', () => ({ client }))
const { allUsersQuery, createUser, deactivateFound, userList } = await import('./admin-users.ts')
const { queryClient } = await import('../../../model/query-client.ts')

test('a new account is listed at once; only filtered lists load again', async () => {
  const pageOf = (ids: string[]) => ({ items: ids.map((id) => ({ id }) as User), total: ids.length, next: undefined })
  client.listUsers.mockResolvedValue(pageOf(['a']))
  client.createUser.mockResolvedValue({ user: { id: 'b' } })
  const observers = [allUsersQuery, { ...allUsersQuery, q: 'b' }].map(
    (query) => new InfiniteQueryObserver(queryClient, userList(query)),
  )
  for (const observer of observers) observer.subscribe(() => {})
  await vi.waitFor(() => expect(observers.every((observer) => observer.getCurrentResult().isSuccess)).toBe(true))

  client.listUsers.mockClear().mockReturnValue(new Promise(() => {}))
  await createUser({ email: 'b@example.com', password: 'secret' })
  expect(observers[0]?.getCurrentResult().data).toEqual({ rows: [{ id: 'b' }, { id: 'a' }], total: 2 })
  expect(client.listUsers.mock.calls.map(([{ query }]) => query.q)).toEqual(['b'])
  for (const observer of observers) observer.destroy()
  queryClient.clear()
})

test('accounts are deactivated to the end, though the list and a change are refused for a while', async () => {
  vi.useFakeTimers()
  const limited = new ApiError(429, { code: 'too_many_requests' })
  const users = ['a', 'b'].map((id) => ({ id }) as User)
  client.listUsers
    .mockReset()
    .mockRejectedValueOnce(limited)
    .mockResolvedValueOnce({ items: users })
    .mockRejectedValueOnce(limited)
    .mockResolvedValueOnce({ items: [] })
  client.updateUser
    .mockRejectedValueOnce(limited)
    .mockImplementation(async ({ params }) => ({ user: { id: params.userId } }))
  const progress: number[] = []
  const run = deactivateFound('spam', (done) => progress.push(done))
  await Promise.all([expect(run).resolves.toBe(2), vi.runAllTimersAsync()])
  expect(progress).toEqual([1, 2])
  expect(client.listUsers.mock.calls.every(([{ query }]) => query.role === 'user' && query.status === 'Active')).toBe(
    true,
  )
  vi.useRealTimers()
})
