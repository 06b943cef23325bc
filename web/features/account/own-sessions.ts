// The sessions of the signed-in user.
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../model/api-error.ts'
import { client } from '../../model/http.ts'
import { updateCached } from '../../model/query-client.ts'

export const sessionList = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await client.listSessions()).sessions,
})

/** Ends one of the other sessions. */
export async function endSession(id: string): Promise<void> {
  try {
    await client.deleteSession({ params: { id } })
  } catch (error) {
    // Already ended: by itself, elsewhere, or by a first try whose response was lost.
    if (!(error instanceof ApiError) || error.code !== 'session_not_found') throw error
  }
  updateCached(sessionList, (sessions) => sessions.filter((session) => session.id !== id))
}

export async function endOtherSessions(): Promise<void> {
  await client.deleteOtherSessions()
  updateCached(sessionList, (sessions) => sessions.filter(({ current }) => current))
}
