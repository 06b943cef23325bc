// The unlock of the database view: a token for this tab only, until the server rejects it.
import { ApiError } from '../../model/api-error.ts'
import { jsonIn, readUnlock, writeUnlock } from '../../model/browser-storage.ts'
import { createStore, useStore } from '../../model/store.ts'
import { token } from '../../model/token.ts'

/** Minimum duration of the "checking" state of the PIN dialog. */
const minCheckMs = 500

interface Unlock {
  token: string
  /** Milliseconds since 1970. */
  endsAt: number
  /** The end of the session token: the unlock token is valid with that session only. */
  session: string
}

const unlock = createStore<Unlock | null>(null)
export const isUnlocked = () => unlock.get() !== null
export const useUnlocked = () => useStore(unlock) !== null

let timer: ReturnType<typeof setTimeout> | undefined
if (typeof document !== 'undefined') setUnlock(read())

// The session has ended or belongs to another user.
token.subscribe(() => setUnlock(null))

/**
 * Sends the PIN to the server. Resolves or rejects no sooner than after minCheckMs.
 * @returns a function that unlocks the view
 * @throws {ApiError} wrong_pin, pin_locked, pin_off ...
 */
export async function checkPin(pin: string): Promise<() => void> {
  const session = sessionMark()
  const startedAt = Date.now()
  const [result] = await Promise.allSettled([requestUnlock(pin), new Promise((done) => setTimeout(done, minCheckMs))])
  if (result.status === 'rejected') throw result.reason
  const { token, expiresInSeconds } = result.value
  return () => {
    if (session === sessionMark()) setUnlock({ token, endsAt: startedAt + expiresInSeconds * 1000, session })
  }
}

const requestUnlock = async (pin: string) =>
  (await import('../../model/http.ts')).client.unlockDatabase({ body: { pin } })

function sessionMark(): string {
  return token.get()?.slice(-16) ?? ''
}

/** Locks the view in this tab at once and notifies the server without waiting for it. */
export function lockDatabase(): void {
  const current = unlock.get()
  setUnlock(null)
  if (current === null) return
  import('../../model/http.ts')
    .then(({ client }) => client.lockDatabase({ headers: { 'x-db-token': current.token } }))
    .catch((error: unknown) => console.info('The database view was locked in this tab only', error))
}

/** Calls with the unlock token; the view locks when the server responds that it is locked. */
export async function whileUnlocked<T>(call: (headers: { 'x-db-token': string }) => Promise<T>): Promise<T> {
  const current = unlock.get()
  try {
    return await call({ 'x-db-token': current?.token ?? '' })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'database_locked' && unlock.get() === current) setUnlock(null)
    throw error
  }
}

function setUnlock(next: Unlock | null): void {
  clearTimeout(timer)
  if (next !== null) timer = setTimeout(() => setUnlock(null), next.endsAt - Date.now())
  writeUnlock(next === null ? null : JSON.stringify(next))
  if (next !== unlock.get()) unlock.set(next)
}

function read(): Unlock | null {
  const { token, endsAt, session } = Object(jsonIn(readUnlock(), 'unlock')) as Partial<Unlock>
  const isGood = typeof token === 'string' && /^[\w-]+$/.test(token) && typeof endsAt === 'number'
  return isGood && endsAt > Date.now() && session === sessionMark() ? { token, endsAt, session } : null
}
