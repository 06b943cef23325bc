// One reply of the server that a screen shows: read, kept while it is read again, forgotten with the session.
import { createStore, useStore } from './store.ts'
import { token } from './token.ts'

export interface Loaded<T> {
  status: 'loading' | 'ready' | 'failed'
  /** Of the last reading that succeeded: it stays while a later one is under way or has failed. */
  value?: T | undefined
  failure?: unknown
}

/** @param what what cannot be read when it fails, for the log */
export function createLoaded<T>(what: string, read: () => Promise<T>) {
  const empty: Loaded<T> = { status: 'loading' }
  const store = createStore(empty)
  /** Counts the loads: an older reply changes nothing. */
  let generation = 0

  token.subscribe(() => {
    if (token.get() !== null) return
    generation++
    store.set(empty)
  })

  /** @param isQuiet a failure stays on screen until the next reading succeeds: for what is asked again by the clock */
  async function load({ isQuiet = false } = {}): Promise<void> {
    const mine = ++generation
    const { value, status } = store.get()
    if (status === 'failed' && !isQuiet) store.set({ status: 'loading', value })
    let next: Loaded<T>
    try {
      next = { status: 'ready', value: await read() }
    } catch (failure) {
      console.info(`${what} could not be read`, failure)
      next = { status: 'failed', value, failure }
    }
    if (mine === generation) store.set(next)
  }

  /** What the page knows better than a reply that may still be under way. */
  function amend(change: (value: T) => T): void {
    const { value } = store.get()
    if (value === undefined) return
    generation++
    store.set({ status: 'ready', value: change(value) })
  }

  return { store, load, amend, useLoaded: () => useStore(store) }
}
