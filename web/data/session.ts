// Who is logged in.
import type { User } from '../../contract/accounts.ts'
import { ApiError } from './api-error.ts'
import { createStore, useStore } from './store.ts'
import { clearTabStorage } from './storage.ts'
import { discardRefusedToken, loadToken, refusedTokens, setToken, token } from './token.ts'

export type Session =
  | { status: 'out' }
  /** hasFailed: a request for the user has failed and is repeated. */
  | { status: 'loading'; hasFailed: boolean }
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
    if (current === known) return
    known = current
    if (current === null) {
      session.set({ status: 'out' })
      // A logout clears the storage of the tab; an expired session leaves it for the next login.
      if (refused === refusedTokens.get()) clearTabStorage()
      refused = refusedTokens.get()
    } else if (session.get().status !== 'in') void fetchUser(current, loadPage)
  }
  follow()
  token.subscribe(follow)
}

const firstRetryMs = 2000
const maxRetryMs = 30_000

/**
 * Loads the user of the token `used`. A refusal removes the token. After any other failure the
 * request is repeated until it succeeds: while there is a token the visitor must not be treated as a
 * guest, whose uploads would go into the account.
 */
async function fetchUser(used: string, loadPage: () => Promise<void>): Promise<void> {
  session.set({ status: 'loading', hasFailed: false })
  // A script that failed to load is requested again, or reported, where it is rendered.
  const pageLoaded = loadPage().catch((error: unknown) => console.info('Failed to load the page', error))
  for (let delayMs = firstRetryMs; token.get() === used; delayMs = Math.min(2 * delayMs, maxRetryMs)) {
    try {
      const [me] = await Promise.all([getMe(), pageLoaded])
      if (token.get() === used) session.set({ status: 'in', ...me })
      return
    } catch (error) {
      console.info('Failed to get current user', error)
      if (isRefusal(error)) return discardRefusedToken(used)
      if (token.get() === used) session.set({ status: 'loading', hasFailed: true })
      await retryTime(delayMs)
    }
  }
}

/** Any 4xx but a timeout and the rate limit. */
const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && ![408, 429].includes(error.status)

/** Resolves after `delayMs`, or as soon as the browser is online again. */
function retryTime(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, delayMs)
    addEventListener('online', end)
  })
}

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
    const client = await loadClient()
    // The request reads the token before it is removed below.
    client.logout().catch((error: unknown) => console.info('The session was ended in this browser only', error))
  } finally {
    setToken(null)
  }
}

const getMe = async () => (await loadClient()).getMe()

const loadClient = async () => (await import('./http.ts')).client
