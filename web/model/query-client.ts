// The cache of the signed-in user's server data. Only scripts that load after login import it.
import {
  focusManager,
  notifyManager,
  QueryCache,
  QueryClient,
  type DataTag,
  type Query,
  type QueryKey,
} from '@tanstack/react-query'
import { followTabs, imageList, tellTabs } from './images/other-tabs.ts'
import { token } from './token.ts'

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => console.info(`Not loaded: ${queryKey.join(' ')}`, error),
  }),
  defaultOptions: {
    queries: {
      // http.ts retries: it knows which requests may be repeated.
      retry: false,
      // Without a connection a request fails at once, so that the screen shows the failure.
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  },
})

// Before the next frame, not in a later task: code that moves the focus finds the new rows.
notifyManager.setScheduler(queueMicrotask)

// The next user of this browser must not see the data of the previous one.
token.subscribe(() => {
  if (token.get() === null) queryClient.clear()
})

// The library listens to visibilitychange only; uncovering a window fires just a focus event.
focusManager.setEventListener((onFocus) => {
  if (typeof document === 'undefined') return undefined
  const onChange = () => onFocus()
  addEventListener('focus', onChange)
  document.addEventListener('visibilitychange', onChange)
  return () => {
    removeEventListener('focus', onChange)
    document.removeEventListener('visibilitychange', onChange)
  }
})

interface Cached<T> {
  queryKey: DataTag<QueryKey, T, Error>
}

// What the library's provider does elsewhere: from now on the client sees when the window regains
// focus. The first script has no provider, so each hook gets the client as its second argument.
queryClient.mount()

/** Queries about images, which change with them. */
const countsImages: ReadonlySet<string> = new Set(['albums', 'expiring images', 'links', 'tags', 'trash'])

// Each query alone: what is on screen is loaded again, the rest when it is shown.
followTabs((subjects) => {
  const changed = subjects === 'all' ? new Set([imageList]) : subjects
  const hasChanged = (subject: string) => changed.has(subject) || (changed.has(imageList) && countsImages.has(subject))
  void queryClient.invalidateQueries({ predicate: ({ queryKey: [subject] }) => hasChanged(String(subject)) })
})

/**
 * Applies a mutation to cached data, and tells other tabs. A load under way may have read the state before it: it is
 * cancelled, and started again while an enabled query is on screen; other callers must load again.
 */
export function updateCached<T>({ queryKey }: Cached<T>, change: (value: T) => T): void {
  const isFetching = queryClient.isFetching({ queryKey }) > 0
  void queryClient.cancelQueries({ queryKey })
  queryClient.setQueriesData<T>({ queryKey }, (value) => (value === undefined ? undefined : change(value)))
  if (isFetching) void queryClient.invalidateQueries({ queryKey })
  tellTabs(String(queryKey[0]))
}

/** Loads again what is on screen, and marks the rest as stale; in other tabs too. */
export function refresh({ queryKey, predicate }: { queryKey: QueryKey; predicate?: (query: Query) => boolean }) {
  tellTabs(String(queryKey[0]))
  return queryClient.invalidateQueries({ queryKey, ...(predicate && { predicate }) })
}
