// All accounts, newest first, as far as they have been read; and what an admin changes about them.
import type { User } from '../../contract/accounts.ts'
import { createClient, type Client } from '../../contract/client.ts'
import { ApiError } from './api-error.ts'
import { session, setUser } from './session.ts'
import { createStore, useStore } from './store.ts'
import { token } from './token.ts'

export interface UserQuery {
  q: string
  role: User['role'] | undefined
  status: User['status'] | undefined
}
export const everyone: UserQuery = { q: '', role: undefined, status: undefined }
export const isEveryone = ({ q, role, status }: UserQuery) => q === '' && role === undefined && status === undefined

export interface Users {
  /** loading: of the first page. What was there before stays meanwhile. */
  status: 'loading' | 'ready' | 'failed'
  query: UserQuery
  users: readonly User[]
  /** Of all pages. */
  total: number
  /** Of the next page; undefined: this is all. */
  cursor: string | undefined
  /** The next page: asked for, or why it did not come. */
  more: 'idle' | 'loading' | 'failed'
  failure?: unknown
}

type NewUser = Parameters<Client['createUser']>[0]['body']
export type UserChanges = Parameters<Client['updateUser']>[0]['body']

const empty: Users = { status: 'loading', query: everyone, users: [], total: 0, cursor: undefined, more: 'idle' }
const store = createStore(empty)
export const useUsers = () => useStore(store)

/** Counts the loads: the reply to a question that nobody asks any more changes nothing. */
let generation = 0

token.subscribe(() => {
  if (token.get() !== null) return
  generation++
  store.set(empty)
})

/** Reads the first page. */
export async function loadUsers(query: UserQuery = store.get().query): Promise<void> {
  const mine = ++generation
  store.set({ ...store.get(), query, status: 'loading', more: 'idle' })
  try {
    const page = await fetchPage(query)
    if (mine === generation) store.set({ status: 'ready', query, more: 'idle', ...page })
  } catch (failure) {
    console.info('The users could not be read', failure)
    if (mine === generation) store.set({ ...store.get(), status: 'failed', failure })
  }
}

/** Reads the next page. @returns whether it has come */
export async function loadMoreUsers(): Promise<boolean> {
  const { query, cursor, more } = store.get()
  if (cursor === undefined || more === 'loading') return false
  const mine = generation
  store.set({ ...store.get(), more: 'loading' })
  try {
    const page = await fetchPage(query, cursor)
    if (mine !== generation) return false
    const { users } = store.get()
    const known = new Set(users.map(({ id }) => id))
    const added = page.users.filter(({ id }) => !known.has(id))
    store.set({ ...store.get(), ...page, users: [...users, ...added], more: 'idle' })
    return true
  } catch (failure) {
    console.info('More users could not be read', failure)
    if (mine === generation) store.set({ ...store.get(), more: 'failed', failure })
    return false
  }
}

export async function createUser(body: NewUser): Promise<User> {
  const { user } = await (await loadClient()).createUser({ body })
  const { query, users, total } = store.get()
  // The newest stands first. What a search finds, only the server knows.
  if (isEveryone(query)) store.set({ ...store.get(), users: [user, ...users], total: total + 1 })
  else void loadUsers()
  return user
}

export async function updateUser(userId: string, body: UserChanges): Promise<User> {
  const { user } = await (await loadClient()).updateUser({ params: { userId }, body })
  place(user)
  return user
}

export async function promoteUser(user: User): Promise<void> {
  await (await loadClient()).promoteUser({ body: { userId: user.id } })
  place({ ...user, role: 'admin' })
}

export async function deleteUser(userId: string): Promise<void> {
  try {
    await (await loadClient()).deleteUser({ params: { userId } })
  } catch (error) {
    // Gone already: somebody else, or a first try whose answer was lost.
    if (!(error instanceof ApiError) || error.code !== 'user_not_found') throw error
  }
  const { users, total } = store.get()
  store.set({ ...store.get(), users: users.filter(({ id }) => id !== userId), total: Math.max(0, total - 1) })
}

/** In its row, also where a filter would not find it any more: what was done is seen. */
function place(user: User): void {
  const { users } = store.get()
  store.set({ ...store.get(), users: users.map((known) => (known.id === user.id ? user : known)) })
  const current = session.get()
  if (current.status === 'in' && current.user.id === user.id) setUser(user)
}

async function fetchPage({ q, role, status }: UserQuery, cursor?: string) {
  const { requestReply } = await import('./http.ts')
  let headers = new Headers()
  const client = createClient(async (request) => {
    const reply = await requestReply(request)
    headers = reply.headers
    return reply.json()
  })
  const users = await client.listUsers({ query: { q: q === '' ? undefined : q, role, status, cursor } })
  return { users, total: Number(headers.get('x-total-count') ?? users.length), cursor: nextCursor(headers.get('link')) }
}

/** Of a Link header (RFC 8288) that names the next page. */
function nextCursor(link: string | null): string | undefined {
  const address = /<([^>]+)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1]
  return address === undefined ? undefined : (new URL(address, location.href).searchParams.get('cursor') ?? undefined)
}

const loadClient = async () => (await import('./http.ts')).client
