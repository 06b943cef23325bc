// The session token, in local storage under `token`. Another tab's login or logout is seen here too.
import { readStored, writeStored } from './storage.ts'
import { createStore } from './store.ts'

const key = 'token'

export const token = createStore<string | null>(null)

/** How many tokens the server has refused. It changes before the token goes, while it is still known who was signed in. */
export const refusedTokens = createStore(0)

/** Where storage is refused, it lives in this page alone. */
let isStored = false

/** The token for a call that needs one. Taken out of the storage by hand, which no event tells, it is gone. */
export const heldToken = () => (isStored && readStored(key) === null ? null : token.get())

export function loadToken(): void {
  token.set(storedToken())
  isStored = token.get() !== null
  addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return
    // It may be another user's: nothing of the one before may stay.
    token.set(null)
    token.set(storedToken())
    isStored = token.get() !== null
  })
}

/** What no header can carry is no token: it would make every call fail, a login included. */
function storedToken(): string | null {
  const stored = readStored(key)
  if (stored === null || /^[\x21-\x7e]+$/.test(stored)) return stored
  writeStored(key, null)
  return null
}

export function setToken(value: string | null): void {
  writeStored(key, value)
  isStored = value !== null && readStored(key) === value
  token.set(value)
}

/** Ends the session that `used` stood for, unless a newer token has taken its place since. */
export function dropToken(used: string): void {
  if (token.get() !== used) return
  refusedTokens.set(refusedTokens.get() + 1)
  setToken(null)
}
