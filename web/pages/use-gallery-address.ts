import { useMemo } from 'react'
import { useLocation } from 'wouter'
// The router's own hook answers the search decoded once already: %2F within a name would be lost.
import { useSearch } from 'wouter/use-browser-location'
import { everything, type GalleryQuery } from '../data/gallery.ts'
import { queryOf, searchOf, withParams } from '../features/gallery-tools/gallery-address.ts'

/** What the dashboard shows, kept in its address. Changes add nothing to the history: Back leaves the dashboard. */
export function useAddress() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const query = useMemo(() => queryOf(search), [search])
  // Of now, not of the last render: a search that is told late must not bring an older address back.
  const go = (next: (search: string) => string) => navigate(path + next(location.search), { replace: true })
  return {
    query,
    isReadOnly: new URLSearchParams(search).has('readonly'),
    setQuery: (next: GalleryQuery) => go((now) => searchOf(now, next)),
    setReadOnly: (isOn: boolean) => go((now) => withParams(now, { readonly: isOn ? '1' : undefined })),
    clear: () => go((now) => searchOf(now, { ...everything, sort: query.sort })),
  }
}
