// The invitations, for admins. The link of one is only in the result of createInvite: it is never cached.
import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '../../../../contract/derive/client.ts'
import { client } from '../../../model/http.ts'
import { refresh, updateCached } from '../../../model/query-client.ts'

export const inviteList = queryOptions({
  queryKey: ['invites'],
  queryFn: async () => (await client.listInvites()).items,
})

/** @returns the link */
export async function createInvite(body: BodyOf<'createInvite'>): Promise<string> {
  const { link } = await client.createInvite({ body })
  await refresh(inviteList)
  return link
}

export async function deleteInvite(id: string): Promise<void> {
  await client.deleteInvite({ params: { id } })
  updateCached(inviteList, (invites) => invites.filter((one) => one.id !== id))
}
