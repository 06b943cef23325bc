import { useMemo } from 'react'
import { useLocation } from 'wouter'
// The router's own hook decodes the search once: %2F within a name would be lost.
import { useSearch } from 'wouter/use-browser-location'
import { unfilteredQuery, type GalleryQuery } from '../../model/images/gallery.ts'
import { queryOf, searchOf, withParams } from './gallery-address.ts'

/** The dashboard's query in its address. Changes add no history entry. */
export function useGalleryAddress() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const query = useMemo(() => queryOf(search), [search])
  // Of the current address: a delayed search must not restore an older one.
  const go = (next: (search: string) => string) => navigate(path + next(location.search), { replace: true })
  return {
    query,
    isReadOnly: new URLSearchParams(search).has('readonly'),
    setQuery: (next: GalleryQuery) => go((now) => searchOf(now, next)),
    setReadOnly: (isOn: boolean) => go((now) => withParams(now, { readonly: isOn ? '1' : undefined })),
    clear: () => go((now) => searchOf(now, { ...unfilteredQuery, sort: query.sort })),
  }
}
