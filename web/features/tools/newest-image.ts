// The image that a client of the user has just uploaded.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../model/http.ts'

export const newestImage = queryOptions({
  queryKey: ['newest image'],
  queryFn: async () => (await client.listImages({ query: { limit: '1' } })).items[0] ?? null,
  staleTime: 0,
  gcTime: 0,
})
