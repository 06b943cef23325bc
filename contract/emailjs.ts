// What the page's EmailJS client must be given before it talks to anyone: our own server accepts these as its ids.
// Free of zod, so that the page can have it.

export const ownEmailJs = { publicKey: 'image-host', serviceId: 'image-host', templateId: 'image-host' } as const
