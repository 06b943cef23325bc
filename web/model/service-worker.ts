// Registers the service worker (web/sw/sw.ts). Loaded when the page is idle.

interface TrustedTypes {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => typeof ownPolicy
}
const ownPolicy = { createScriptURL: (url: string) => url }

/** @throws when the browser refuses it or its script cannot be loaded */
export async function registerServiceWorker(): Promise<void> {
  // Missing when the page is not a secure context: a host in the local network without TLS.
  if (!('serviceWorker' in navigator)) return
  // With Trusted Types the page's CSP allows no plain string as the address of a script.
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('service-worker', ownPolicy) ?? ownPolicy
  await navigator.serviceWorker.register(policy.createScriptURL('/sw.js'))
}
