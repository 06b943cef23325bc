// The query of the gallery in the URL, so that it survives a reload and can be linked.
import { useMemo } from 'react'
import { useLocation } from 'wouter'
// The router's own hook decodes the search once: %2F within a name would be lost.
import { useSearch } from 'wouter/use-browser-location'
import { parseImageQuery } from '../../../contract/plain/image-query.ts'
import { imageSorts } from '../../../contract/plain/image-sorts.ts'
import { formatNames } from '../../../contract/plain/formats.ts'
import { unfilteredQuery, type GalleryQuery } from '../../model/images/gallery.ts'
import { limits } from '../../../contract/plain/limits.ts'

export const types = formatNames

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

/** Reads the query from a URL. Invalid values are ignored. */
export function queryOf(search: string): GalleryQuery {
  const given = new URLSearchParams(search)
  return {
    q: soundQuery((given.get('q') ?? '').slice(0, limits.list.maxQueryLength)),
    sort: imageSorts.find((sort) => sort === given.get('sort')) ?? unfilteredQuery.sort,
    type: types.find((type) => type === given.get('type')),
    expires: given.get('expires') === 'soon' ? 'soon' : undefined,
  }
}

/** The server would refuse a query with a problem. */
const soundQuery = (q: string): string => (parseImageQuery(q).problem === undefined ? q : '')

/** Returns the search part of a URL with `query` in it; other parameters are preserved. */
export function searchOf(search: string, { q, sort, type, expires }: GalleryQuery): string {
  return withParams(search, { q, sort: sort === unfilteredQuery.sort ? '' : sort, type, expires })
}

export function withParams(search: string, params: Record<string, string | undefined>): string {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(params))
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  const text = next.toString()
  return text === '' ? '' : `?${text}`
}

export const filterCount = ({ type, expires }: GalleryQuery) =>
  (type === undefined ? 0 : 1) + (expires === undefined ? 0 : 1)
export const hasFilters = (query: GalleryQuery) => query.q !== '' || filterCount(query) > 0
