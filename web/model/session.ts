// Who is logged in.
import type { User } from '../../contract/endpoints/accounts.ts'
import { ApiError, troubleOf } from './api-error.ts'
import { createStore, useStore } from './store.ts'
import { clearTabStorage, readToken } from './browser-storage.ts'
import { discardRefusedToken, loadToken, refusedTokens, setToken, suspendToken, token } from './token.ts'

export type Session =
  /** failure: why the user of the stored token could not be loaded. The visitor is a guest until that succeeds. */
  | { status: 'out'; failure?: unknown }
  | { status: 'loading' }
  /** needsSecondFactor: until there is one, the server accepts only what the account page sends. */
  | { status: 'in'; user: User; needsSecondFactor: boolean }

export const session = createStore<Session>({ status: 'out' })
export const useSession = () => useStore(session)

export function useIsAdmin(): boolean {
  const current = useSession()
  return current.status === 'in' && current.user.role === 'admin'
}

/**
 * Reads the stored token, loads its user and follows every later change of the token.
 * @param loadPage loads what the user's page needs for its first paint, meanwhile
 */
export function startSession(loadPage: () => Promise<void>): void {
  loadToken()
  let known: string | null = null
  let refused = refusedTokens.get()
  const follow = () => {
    const current = token.get()
    // A suspended session ends when its token is removed from the storage.
    if (current === known && !(isSuspended() && readToken() === null)) return
    known = current
    if (current === null) {
      const isKept = readToken() !== null || refused !== refusedTokens.get()
      session.set({ status: 'out' })
      // A logout clears the storage of the tab; an expired session leaves it for the next login.
      if (!isKept) clearTabStorage()
      refused = refusedTokens.get()
    } else if (session.get().status !== 'in') void fetchUser(current, loadPage)
  }
  follow()
  token.subscribe(follow)
  addEventListener('online', () => void restoreSession())
  addEventListener('focus', restoreUnlessRefused)
}

/**
 * Loads the user of the token `used`. Only a 401 removes the token from the storage; after any other failure it waits there
 * for {@link restoreSession}.
 */
async function fetchUser(used: string, loadPage: () => Promise<void>): Promise<void> {
  session.set({ status: 'loading' })
  // A script that failed to load is requested again, or reported, where it is rendered.
  const pageLoaded = loadPage().catch((error: unknown) => console.info('Failed to load the page', error))
  try {
    const [me] = await Promise.all([getMe(), pageLoaded])
    if (token.get() === used) session.set({ status: 'in', ...me })
  } catch (error) {
    console.info('Failed to get current user', error)
    if (isUnauthorized(error)) discardRefusedToken(used)
    if (token.get() !== used) return
    suspendToken()
    session.set({ status: 'out', failure: error })
  }
}

const isSuspended = () => {
  const current = session.get()
  return current.status === 'out' && current.failure !== undefined
}

let restoring: Promise<void> | undefined

function restoreUnlessRefused(): void {
  const current = session.get()
  if (current.status === 'out' && troubleOf(current.failure).canRetry) void restoreSession()
}

/** Loads the user again whose token is still stored. Meanwhile nothing changes on screen: a form may be in use. */
export async function restoreSession(): Promise<void> {
  const stored = readToken()
  if (!isSuspended() || stored === null) return
  restoring ??= restore(stored).finally(() => (restoring = undefined))
  await restoring
}

async function restore(stored: string): Promise<void> {
  const isCurrent = () => isSuspended() && readToken() === stored
  try {
    const me = await (await loadHttp()).clientOf(stored).getMe()
    if (isCurrent()) beginSession({ ...me, token: stored })
  } catch (error) {
    console.info('Failed to get current user', error)
    if (!isCurrent()) return
    if (isUnauthorized(error)) setToken(null)
    else session.set({ status: 'out', failure: error })
  }
}

const isUnauthorized = (error: unknown) => error instanceof ApiError && error.status === 401

/** Loads the signed-in user's figures again. */
export async function refreshUser(): Promise<void> {
  const me = await getMe()
  if (session.get().status === 'in') session.set({ status: 'in', ...me })
}

/** Applies what the server has just returned about the signed-in user. */
export function setUser(user: User): void {
  const current = session.get()
  if (current.status === 'in') session.set({ ...current, user })
}

/** Adds to the user's own figures after an upload or a deletion. */
export function adjustImageTotals(images: number, bytes: number): void {
  const current = session.get()
  if (current.status !== 'in') return
  const { imageCount, imageBytes } = current.user
  session.set({
    ...current,
    user: { ...current.user, imageCount: imageCount + images, imageBytes: imageBytes + bytes },
  })
}

/** @param response of a login */
export function beginSession(response: { user: User; needsSecondFactor: boolean; token: string }): void {
  const { user, needsSecondFactor } = response
  session.set({ status: 'in', user, needsSecondFactor })
  setToken(response.token)
}

/** Ends the session in this browser at once and notifies the server without waiting for it. */
export async function logout(): Promise<void> {
  try {
    const { clientOf } = await loadHttp()
    // That of a suspended session is only in the storage.
    const ended = clientOf(token.get() ?? readToken())
    ended.logout().catch((error: unknown) => console.info('The session was ended in this browser only', error))
  } finally {
    setToken(null)
  }
}

const getMe = async () => (await loadHttp()).client.getMe()

const loadHttp = () => import('./http.ts')
