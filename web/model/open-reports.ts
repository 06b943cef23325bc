// How many reported images wait for a decision: for the account menu and the admin page.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from './http.ts'
import { queryClient } from './query-client.ts'

export const openReportCount = queryOptions({
  queryKey: ['reports', 'open count'],
  queryFn: async () => (await client.listReports({ query: { status: 'open', limit: '1' } })).total,
})

/** Reads the cache and never loads: app/logged-in.tsx does, for admins. */
export const useOpenReportCount = () => useQuery({ ...openReportCount, enabled: false }, queryClient).data ?? 0
