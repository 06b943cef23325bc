// The signed-in user's API keys. A whole key is only in the result of createApiKey: it is never
// cached.
import { queryOptions } from '@tanstack/react-query'
import type { NewApiKey } from '../../contract/endpoints/api-keys.ts'
import type { BodyOf } from '../../contract/derive/client.ts'
import { client } from './http.ts'
import { updateCached } from './query-client.ts'
import { currentToken } from './token.ts'

export type NewKeyRequest = BodyOf<'createApiKey'>

/** No request was sent, because no token is stored. */
export class NoTokenError extends Error {}

export const apiKeyList = queryOptions({
  queryKey: ['api keys'],
  queryFn: async () => {
    requireToken()
    return (await client.listApiKeys()).items
  },
})

/** @throws {NoTokenError} */
export async function createApiKey(body: NewKeyRequest): Promise<NewApiKey> {
  requireToken()
  return (await client.createApiKey({ body })).apiKey
}

/** @throws {NoTokenError} */
export async function deleteApiKey(id: string): Promise<void> {
  requireToken()
  await client.deleteApiKey({ params: { id } })
  updateCached(apiKeyList, (keys) => keys.filter((key) => key.id !== id))
}

function requireToken(): void {
  if (currentToken() === null) throw new NoTokenError()
}
