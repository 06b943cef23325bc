import { useCallback, useMemo } from 'react'
import { useLocation } from 'wouter'
// As it stands in the address: the router's own would decode it once too often, and an id may hold a %2F.
import { useSearch } from 'wouter/use-browser-location'
import { addressOf, searchOf, type DatabaseAddress } from './database-address.ts'

/** Every step can be gone back; one that only mends what cannot be shown (`replace`) is none. */
export function useDatabaseAddress() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const address = useMemo(() => addressOf(search), [search])
  const go = useCallback(
    (change: Partial<DatabaseAddress>, { replace = false } = {}) => {
      // Of now, not of the last render: what is told late must not bring an older address back.
      const to = searchOf({ ...addressOf(location.search), ...change })
      // To where one is already is no step.
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
