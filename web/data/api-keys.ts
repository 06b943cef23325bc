// The signed-in user's API keys. A whole key is in the answer of createApiKey and nowhere else: it is never kept here.
import type { ApiKey, NewApiKey } from '../../contract/api-keys.ts'
import { createStore, useStore } from './store.ts'
import { heldToken, token } from './token.ts'

export interface ApiKeys {
  status: 'loading' | 'ready' | 'failed'
  keys: readonly ApiKey[]
  /** Why the list could not be read. */
  failure?: unknown
}

/** Nobody is signed in, so nothing was asked. */
export class NoTokenError extends Error {}

const empty: ApiKeys = { status: 'loading', keys: [] }
const store = createStore(empty)
export const useApiKeys = () => useStore(store)

/** Counts the loads: an older reply changes nothing. */
let generation = 0

token.subscribe(() => {
  if (token.get() !== null) return
  generation++
  store.set(empty)
})

export async function loadApiKeys(): Promise<void> {
  const mine = ++generation
  const { keys, status } = store.get()
  if (status === 'failed') store.set({ status: 'loading', keys })
  let next: ApiKeys
  try {
    next = { status: 'ready', keys: await (await signedIn()).listApiKeys() }
  } catch (failure) {
    console.info('Failed to fetch API keys', failure)
    next = { status: 'failed', keys, failure }
  }
  if (mine === generation) store.set(next)
}

/** @throws {NoTokenError} */
export async function createApiKey(name: string): Promise<NewApiKey> {
  const client = await signedIn()
  return (await client.createApiKey({ body: { name } })).apiKey
}

/** @throws {NoTokenError} */
export async function deleteApiKey(id: string): Promise<void> {
  const client = await signedIn()
  await client.deleteApiKey({ params: { id } })
  // A list that was asked for before may still name it.
  generation++
  const { keys } = store.get()
  store.set({ status: 'ready', keys: keys.filter((key) => key.id !== id) })
}

async function signedIn() {
  if (heldToken() === null) throw new NoTokenError()
  return (await import('./http.ts')).client
}
