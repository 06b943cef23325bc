// The figures of the admin overview.
import { queryOptions } from '@tanstack/react-query'
import { client } from './http.ts'

export const databaseStats = queryOptions({ queryKey: ['database stats'], queryFn: () => client.getDatabaseStats() })
export const userStats = queryOptions({ queryKey: ['user stats'], queryFn: () => client.getUserStats() })
