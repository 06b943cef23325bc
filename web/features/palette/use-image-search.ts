import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { client } from '../../model/http.ts'
import { queryClient } from '../../model/query-client.ts'

const delayMs = 200
const maxResults = 6

export interface ImageSearchResult {
  status: 'idle' | 'searching' | 'ready' | 'failed'
  images: readonly Image[]
}

/** Searches the user's images by name when typing pauses; a newer search cancels the older. */
export function useImageSearch(typed: string, isOn: boolean): ImageSearchResult {
  const q = isOn ? typed.trim().slice(0, limits.list.maxSearchLength) : ''
  const { data, isError, isFetching } = useQuery(
    {
      queryKey: ['image search', q],
      queryFn: async ({ signal }) => {
        await new Promise((resolve) => setTimeout(resolve, delayMs))
        signal.throwIfAborted()
        return (await client.listImages({ query: { q, limit: String(maxResults) } })).items
      },
      enabled: q !== '',
      placeholderData: keepPreviousData,
      gcTime: 0,
    },
    queryClient,
  )
  if (q === '') return { status: 'idle', images: [] }
  return { status: isFetching ? 'searching' : isError ? 'failed' : 'ready', images: data ?? [] }
}
