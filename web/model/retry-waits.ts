// Requests that the server has postponed (Retry-After): the frame of the page says so while they wait.
import { createStore, useStore } from './store.ts'

export interface RetryWait {
  /** Of the response: 429, or a 5xx of a busy server. */
  status: number
  /** Epoch ms of the next attempt. */
  endsAt: number
}

export const retryWaits = createStore<readonly RetryWait[]>([])

/** Returns the longest wait; undefined without one. */
export const useRetryWait = (): RetryWait | undefined =>
  useStore(retryWaits).reduce<RetryWait | undefined>(
    (longest, wait) => (longest === undefined || wait.endsAt > longest.endsAt ? wait : longest),
    undefined,
  )

/** @returns ends the wait */
export function beginRetryWait(wait: RetryWait): () => void {
  retryWaits.set([...retryWaits.get(), wait])
  return () => retryWaits.set(retryWaits.get().filter((other) => other !== wait))
}
