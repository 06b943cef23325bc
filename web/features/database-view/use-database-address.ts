import { useCallback, useMemo } from 'react'
import { useLocation } from 'wouter'
// Reads the raw address: the router decodes once too often, and an id may contain %2F.
import { useSearch } from 'wouter/use-browser-location'
import { addressOf, searchOf, type DatabaseAddress } from './database-address.ts'

/** Every step adds a history entry, except one that replaces an invalid address (`replace`). */
export function useDatabaseAddress() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const address = useMemo(() => addressOf(search), [search])
  const go = useCallback(
    (change: Partial<DatabaseAddress>, { replace = false } = {}) => {
      // Reads the current address, not that of the last render: a late callback must not restore an older one.
      const to = searchOf({ ...addressOf(location.search), ...change })
      // Navigating to the current address adds no history entry.
      navigate(path + to, { replace: replace || to === location.search })
    },
    [path, navigate],
  )
  const openCollection = useCallback(
    (collection: string | undefined) => go({ collection, page: 1, documentId: undefined }),
    [go],
  )
  return {
    ...address,
    go,
    openCollection,
    openPage: (page: number) => go({ page, documentId: undefined }),
    openDocument: (documentId: string | undefined) => go({ documentId }),
  }
}
