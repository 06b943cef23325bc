import { useQuery } from '@tanstack/react-query'
import { expiringImages } from '../data/expiring-images.ts'
import { useOnline } from '../data/online.ts'
import { queryClient } from '../data/query-client.ts'

const expiringRefreshMs = 10 * 60_000
/** On return to the page, an older count is loaded again. */
const expiringReturnMs = 60_000

/**
 * Refreshes the count of images that expire soon, as long as the page is visible and the browser
 * online.
 */
export function useExpiringCount(): void {
  const isOnline = useOnline()
  useQuery(
    {
      ...expiringImages,
      refetchInterval: isOnline && expiringRefreshMs,
      refetchOnWindowFocus: ({ state: { dataUpdatedAt, errorUpdatedAt } }) =>
        isOnline && Date.now() - Math.max(dataUpdatedAt, errorUpdatedAt) >= expiringReturnMs ? 'always' : false,
    },
    queryClient,
  )
}
