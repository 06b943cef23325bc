// The session token, in local storage under `token`. Another tab's login or logout is seen here too.
import { readStored, writeStored } from './storage.ts'
import { createStore } from './store.ts'

const key = 'token'

export const token = createStore<string | null>(null)

export function loadToken(): void {
  token.set(readStored(key))
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) token.set(readStored(key))
  })
}

export function setToken(value: string | null): void {
  writeStored(key, value)
  token.set(value)
}

/** Ends the session that `used` stood for, unless a newer token has taken its place since. */
export function dropToken(used: string): void {
  if (token.get() === used) setToken(null)
}
