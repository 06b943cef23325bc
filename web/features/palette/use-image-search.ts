import { useQuery } from '@tanstack/react-query'
import type { Image } from '../../../contract/endpoints/images.ts'
import { parseImageQuery } from '../../../contract/plain/image-query.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { client } from '../../model/http.ts'
import { queryClient } from '../../model/query-client.ts'

const delayMs = 200
const maxResults = 6

export interface ImageSearchResult {
  status: 'idle' | 'searching' | 'ready' | 'failed'
  images: readonly Image[]
}

/** The user's newest images; once something is typed, those with that name. A newer search cancels the older. */
export function useImageSearch(typed: string, isOn: boolean): ImageSearchResult {
  const given = isOn ? typed.trim().slice(0, limits.list.maxQueryLength) : ''
  // A term that is still being typed finds nothing yet.
  const q = parseImageQuery(given).problem === undefined ? given : ''
  const { data, isError, isFetching } = useQuery(
    {
      queryKey: ['image search', q],
      queryFn: async ({ signal }) => {
        const limit = String(maxResults)
        if (q === '') return (await client.listImages({ query: { limit } })).items
        await new Promise((resolve) => setTimeout(resolve, delayMs))
        signal.throwIfAborted()
        return (await client.listImages({ query: { q, limit } })).items
      },
      enabled: isOn,
      // The recent images are no results.
      placeholderData: (known, search) => (q === '' || search?.queryKey[1] === '' ? undefined : known),
      gcTime: 0,
    },
    queryClient,
  )
  if (q === '') return { status: 'idle', images: isError ? [] : (data ?? []) }
  return { status: isFetching ? 'searching' : isError ? 'failed' : 'ready', images: data ?? [] }
}
