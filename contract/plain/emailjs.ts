// Ids that the EmailJS client requires before it sends: this server accepts any. Without zod, so that the page can import it.

export const ownEmailJs = { publicKey: 'image-host', serviceId: 'image-host', templateId: 'image-host' } as const
