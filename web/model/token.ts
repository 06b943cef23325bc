// The session token, in local storage under `token`. Logins and logouts of other tabs are followed.
import { readStored, readToken, writeStored } from './browser-storage.ts'
import { createStore } from './store.ts'

const key = 'token'

export const token = createStore<string | null>(null)

/** Counts refused tokens. It changes before the token does, while the user is still known. */
export const refusedTokens = createStore(0)

/** False where storage is refused: the token then lives in this page only. */
let isStored = false

/** Null when the token was removed from the storage by hand, which fires no event. */
export const currentToken = () => (isStored && readStored(key) === null ? null : token.get())

export function loadToken(): void {
  token.set(storedToken())
  isStored = token.get() !== null
  addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return
    // It may belong to another user: no data of the previous user may stay.
    token.set(null)
    token.set(storedToken())
    isStored = token.get() !== null
  })
}

/** Removes a value that is no token. */
function storedToken(): string | null {
  const stored = readToken()
  if (stored === null) writeStored(key, null)
  return stored
}

export function setToken(value: string | null): void {
  writeStored(key, value)
  isStored = value !== null && readStored(key) === value
  token.set(value)
}

/** Continues as a guest for now: the token stays stored, for a reload or {@link setToken}. */
export const suspendToken = () => token.set(null)

/** Ends the session when its token was removed from the storage by hand. @returns whether it was */
export function endRemovedSession(): boolean {
  const used = token.get()
  if (used === null || currentToken() !== null) return false
  discardRefusedToken(used)
  return true
}

/** Ends the session of the token `used`, unless a newer token has replaced it. */
export function discardRefusedToken(used: string): void {
  if (token.get() !== used) return
  refusedTokens.set(refusedTokens.get() + 1)
  setToken(null)
}
