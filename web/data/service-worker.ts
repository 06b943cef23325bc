// Registers the service worker (web/sw/sw.ts). Loaded once the page is there and has time.

interface TrustedTypes {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => typeof ownPolicy
}
const ownPolicy = { createScriptURL: (url: string) => url }

/** @throws when the browser refuses it or its script cannot be loaded */
export async function registerServiceWorker(): Promise<void> {
  // Missing where the page is no secure context: a host in the local network without TLS.
  if (!('serviceWorker' in navigator)) return
  // The page's policy takes no plain text as the address of a script, where the browser knows trusted types.
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('service-worker', ownPolicy) ?? ownPolicy
  await navigator.serviceWorker.register(policy.createScriptURL('/sw.js'))
}
