// Installing the page as an app: the service worker, and the browser's offer, shown later.
import { readStored, writeStored } from './browser-storage.ts'
import { createStore, useStore } from './store.ts'

interface InstallPrompt extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

interface TrustedTypes {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => typeof ownPolicy
}
const ownPolicy = { createScriptURL: (url: string) => url }

const keys = { uploads: 'install_uploads', refused: 'install_refused' }
/** A user who has uploaded this often may come back. */
const minUploads = 2

let prompt: InstallPrompt | undefined
const offer = createStore(false)
/** Whether to show the offer now. Only Chromium lets a page do so. */
export const useInstallOffer = () => useStore(offer)

export function watchInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    prompt = event as InstallPrompt
    decide()
  })
  if (import.meta.env.PROD) addEventListener('load', () => void register())
}

/** Registers the service worker (web/sw/sw.ts). */
async function register(): Promise<void> {
  try {
    // Missing when the page is not a secure context: a host in the local network without TLS.
    if (!('serviceWorker' in navigator)) return
    // With Trusted Types the page's CSP allows no plain string as the address of a script.
    const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
    const policy = trustedTypes?.createPolicy('service-worker', ownPolicy) ?? ownPolicy
    await navigator.serviceWorker.register(policy.createScriptURL('/sw.js'))
  } catch (error) {
    // Also when the network failed before the worker was loaded: the next visit tries again.
    console.info('There is no service worker; the page needs the network', error)
  }
}

export function countUpload(): void {
  writeStored(keys.uploads, String(uploads() + 1))
  decide()
}

/** Opens the browser's own install dialog, which each of its offers allows once. */
export async function promptInstall(): Promise<void> {
  const asked = prompt
  prompt = undefined
  decide()
  const choice = await asked?.prompt()
  if (choice?.outcome === 'dismissed') declineInstall()
}

export function declineInstall(): void {
  writeStored(keys.refused, '1')
  prompt = undefined
  decide()
}

const uploads = () => Number(readStored(keys.uploads)) || 0

const decide = () => offer.set(prompt !== undefined && uploads() >= minUploads && readStored(keys.refused) === null)
