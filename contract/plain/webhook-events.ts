// The events that webhooks notify of. Without zod, so that the page can import it.

export const webhookEvents = {
  'image.uploaded': { label: 'Uploaded', text: 'An image was uploaded', forAdmins: false },
  'image.expiring': { label: 'Expires soon', text: 'An image expires within 7 days', forAdmins: false },
  'image.expired': { label: 'Expired', text: 'An image has expired and was deleted', forAdmins: false },
  'image.deleted': { label: 'Deleted', text: 'An image was deleted, also one that can be restored', forAdmins: false },
  'image.restored': { label: 'Restored', text: 'A deleted image was restored', forAdmins: false },
  'image.reported': { label: 'Reported', text: 'An image on this server was reported', forAdmins: true },
} as const satisfies Record<string, { label: string; text: string; forAdmins: boolean }>

export type WebhookEvent = keyof typeof webhookEvents
export const webhookEventNames = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]]

/** Sent on request, to every webhook. */
export const testEvent = 'webhook.test'
