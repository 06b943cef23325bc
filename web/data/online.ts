import { useSyncExternalStore } from 'react'

/** Whether the browser believes to have a connection. It knows a dead cable, not a dead server. */
export const useOnline = () =>
  useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )

function subscribe(tell: () => void): () => void {
  addEventListener('online', tell)
  addEventListener('offline', tell)
  return () => {
    removeEventListener('online', tell)
    removeEventListener('offline', tell)
  }
}
