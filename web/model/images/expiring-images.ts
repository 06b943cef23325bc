// The user's images that expire within 7 days: for the header's count and the notifications.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../http.ts'
import { queryClient, updateCached } from '../query-client.ts'
import { completeImage } from './stored-image.ts'

export const expiringImages = queryOptions({
  queryKey: ['expiring images'],
  queryFn: async () => (await client.listExpiringImages()).items.map(completeImage),
})

/** Reads the cache and never loads: app/logged-in.tsx does. */
export const useExpiringImages = () => useQuery({ ...expiringImages, enabled: false }, queryClient)

export const removeExpiring = (ids: ReadonlySet<string>) =>
  updateCached(expiringImages, (images) => images.filter(({ id }) => !ids.has(id)))
