// All accounts, newest first, page by page, and what an admin changes about them.
import { hashKey, type DataTag } from '@tanstack/react-query'
import type { User } from '../../../../contract/endpoints/accounts.ts'
import type { Client } from '../../../../contract/derive/client.ts'
import { ApiError } from '../../../model/api-error.ts'
import { client } from '../../../model/http.ts'
import { refresh, updateCached } from '../../../model/query-client.ts'
import { mapPages, mergePages, pagedList, withoutRows, type Pages } from '../../../model/row-list.ts'
import { session, setUser } from '../../../model/session.ts'

export interface UserQuery {
  q: string
  role: User['role'] | undefined
  status: User['status'] | undefined
}
export const allUsersQuery: UserQuery = { q: '', role: undefined, status: undefined }
export const isAllUsersQuery = ({ q, role, status }: UserQuery) =>
  q === '' && role === undefined && status === undefined

type NewUser = Parameters<Client['createUser']>[0]['body']
export type UserChanges = Parameters<Client['updateUser']>[0]['body']

/** The lists of all queries that were loaded. */
const lists = { queryKey: ['users'] as unknown as DataTag<string[], Pages<User>, Error> }

/** More than a window shows. A dialog over the list styles each row anew that is near the window. */
const firstPage = 25
/** Whoever asks for more is looking for something. */
const nextPage = 100

export const userList = ({ q, role, status }: UserQuery) => ({
  ...pagedList(['users', q, role, status], (cursor) =>
    client.listUsers({
      query: { q: q || undefined, role, status, cursor, limit: String(cursor === undefined ? firstPage : nextPage) },
    }),
  ),
  select: mergeUserPages,
})

/** A page that was loaded after an account moved may repeat it. */
export function mergeUserPages(list: Pages<User>): { rows: User[]; total: number } {
  const { rows, total } = mergePages(list)
  return { rows: [...new Map(rows.map((user) => [user.id, user])).values()], total }
}

export async function createUser(body: NewUser): Promise<User> {
  const { user } = await client.createUser({ body })
  updateCached(userList(allUsersQuery), (list) => withUser(list, user))
  // The server decides which filtered lists have the account.
  const unfiltered = hashKey(userList(allUsersQuery).queryKey)
  void refresh({ ...lists, predicate: ({ queryHash }) => queryHash !== unfiltered })
  return user
}

export async function updateUser(userId: string, body: UserChanges): Promise<User> {
  const { user } = await client.updateUser({ params: { userId }, body })
  replace(user)
  return user
}

export async function promoteUser(user: User): Promise<void> {
  await client.promoteUser({ body: { userId: user.id } })
  replace({ ...user, role: 'admin' })
}

export async function deleteUser(userId: string): Promise<void> {
  try {
    await client.deleteUser({ params: { userId } })
  } catch (error) {
    // Already deleted: by another admin, or by a first try whose response was lost.
    if (!(error instanceof ApiError) || error.code !== 'user_not_found') throw error
  }
  updateCached(lists, (list) => withoutRows(list, ({ id }) => id === userId))
}

/** Of the accounts that a search finds. */
export const toDeactivate = (q: string) => ({ q, role: 'user', status: 'Active' }) as const

/** After a refusal for RATE_LIMIT_ADMIN. */
const limitedMs = 5000

/**
 * All accounts that the search finds, except admins; it waits while requests are limited. A second run goes on after a failure.
 * @param onProgress is told how many are inactive now
 */
export async function deactivateFound(q: string, onProgress: (done: number) => void): Promise<number> {
  for (let done = 0; ;) {
    const query = { ...toDeactivate(q), limit: String(nextPage) }
    const { items } = await whenUnlimited(() => client.listUsers({ query }))
    if (items.length === 0) return done
    for (const { id } of items) {
      await whenUnlimited(() => updateUser(id, { status: 'Inactive' }))
      onProgress(++done)
    }
  }
}

async function whenUnlimited<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'too_many_requests') throw error
      await new Promise((resolve) => setTimeout(resolve, limitedMs))
    }
  }
}

/** Changes an account in its row, also where the filter does not match any more. */
function replace(user: User): void {
  updateCached(lists, (list) =>
    mapPages(list, (page) => ({ ...page, items: page.items.map((known) => (known.id === user.id ? user : known)) })),
  )
  const current = session.get()
  if (current.status === 'in' && current.user.id === user.id) setUser(user)
}

/** Puts a new account first, as the list is ordered, unless a load has already read it. */
export function withUser(list: Pages<User>, user: User): Pages<User> {
  if (list.pages.some(({ items }) => items.some(({ id }) => id === user.id))) return list
  const [first, ...others] = mapPages(list, (page) => ({ ...page, total: page.total + 1 })).pages
  return first === undefined ? list : { ...list, pages: [{ ...first, items: [user, ...first.items] }, ...others] }
}
