// The signed-in user's webhooks. A secret is only in the result of the call that creates it.
import { queryOptions } from '@tanstack/react-query'
import type { Client } from '../../../contract/derive/client.ts'
import type { NewWebhook, Webhook, WebhookDelivery } from '../../../contract/endpoints/webhooks.ts'
import { client } from '../../model/http.ts'
import { refresh, updateCached } from '../../model/query-client.ts'

export type WebhookOptions = Parameters<Client['createWebhook']>[0]['body']
type WebhookChange = NonNullable<Parameters<Client['updateWebhook']>[0]['body']>

/** The server looks for due deliveries every five seconds. */
const pollMs = 1500

export const webhookList = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async () => (await client.listWebhooks()).items,
})

/** The newest 50. Loaded again while one of them is to be sent. */
export const deliveryList = (id: string) =>
  queryOptions({
    queryKey: ['webhook deliveries', id],
    queryFn: async () => (await client.listWebhookDeliveries({ params: { id } })).items,
    refetchInterval: ({ state: { data = [] } }) => (data.some(isDueSoon) ? pollMs : false),
  })

const isDueSoon = ({ nextTryAt }: WebhookDelivery) => nextTryAt !== null && Date.parse(nextTryAt) < Date.now() + 60_000

export async function createWebhook(body: WebhookOptions): Promise<NewWebhook> {
  const created = await client.createWebhook({ body })
  const { secret: _, ...webhook } = created
  updateCached(webhookList, (all) => [webhook, ...all])
  return created
}

export async function updateWebhook(id: string, body: WebhookChange): Promise<void> {
  const updated = await client.updateWebhook({ params: { id }, body })
  updateCached(webhookList, (all) => all.map((one) => (one.id === id ? updated : one)))
  void refresh(deliveryList(id))
}

export async function deleteWebhook(id: string): Promise<void> {
  await client.deleteWebhook({ params: { id } })
  updateCached(webhookList, (all: Webhook[]) => all.filter((one) => one.id !== id))
}

export const rotateWebhookSecret = async (id: string): Promise<string> =>
  (await client.rotateWebhookSecret({ params: { id } })).secret

export async function testWebhook(id: string): Promise<void> {
  await client.testWebhook({ params: { id } })
  void refresh(deliveryList(id))
}

export async function resendDelivery(id: string, deliveryId: string): Promise<void> {
  const sent = await client.resendWebhookDelivery({ params: { id, deliveryId } })
  updateCached(deliveryList(id), (all) => all.map((one) => (one.id === deliveryId ? sent : one)))
}
