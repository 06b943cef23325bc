import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { addressOf, searchOf, type DatabaseAddress } from './address.ts'

/** Every step can be gone back; one that only mends what cannot be shown (`replace`) is none. */
export function useDatabaseAddress() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const address = useMemo(() => addressOf(search), [search])
  // Of now, not of the last render: what is told late must not bring an older address back.
  const go = (change: Partial<DatabaseAddress>, options: { replace?: boolean } = {}) =>
    navigate(path + searchOf({ ...addressOf(location.search), ...change }), options)
  return {
    ...address,
    go,
    openCollection: (collection: string | undefined) => go({ collection, page: 1, documentId: undefined }),
    openPage: (page: number) => go({ page, documentId: undefined }),
    openDocument: (documentId: string | undefined) => go({ documentId }),
  }
}
