// The settings of this site: JSON in index.html, so that nothing waits for a request.
import { firstScriptLimits } from '../../contract/plain/first-script-limits.ts'
import type { Site } from '../../contract/plain/site.ts'
import { createStore, useStore } from './store.ts'

export type { Site }

const defaults: Site = {
  siteName: 'Image Host',
  version: '',
  supportEmail: '',
  developerUrl: '',
  guestUploads: true,
  mail: false,
  registration: 'open',
  passwordMin: firstScriptLimits.minPasswordLength,
  passwordLogin: true,
  loginProviders: [],
  guestMaxBytes: firstScriptLimits.guest.maxBytes,
  guestRetentionDays: firstScriptLimits.guest.retentionDays,
  guestMaxFiles: firstScriptLimits.guest.maxFiles,
  userMaxBytes: firstScriptLimits.user.maxBytes,
  userRetentionDays: firstScriptLimits.user.retentionDays,
  isExpiryAfterView: false,
  mayKeep: 'nobody',
  trashDays: firstScriptLimits.trashDays,
  emailJsPublicKey: '',
  emailJsServiceId: '',
  emailJsTemplateId: '',
}

const given = typeof document === 'undefined' ? defaults : parseSite(document.getElementById('site')?.textContent ?? '')
// The prerendered page has the defaults, except for the name, which the server has inserted since.
const site = createStore({ ...defaults, siteName: given.siteName })
site.set(given)
export const useSite = () => useStore(site)

/** The upload limits of this site. In the prerendered page the server has inserted them too. */
export const uploadLimits = {
  guest: {
    maxBytes: given.guestMaxBytes,
    retentionDays: given.guestRetentionDays,
    maxFiles: given.guestMaxFiles,
  },
  user: { maxBytes: given.userMaxBytes, retentionDays: given.userRetentionDays, isAfterView: given.isExpiryAfterView },
}

/** Who may keep images that never expire. */
export const { mayKeep } = given

/** How long a deleted image can be restored; 0: there is no trash. */
export const { trashDays } = given

/** Takes each setting that has the right type, and the default for any other. */
export function parseSite(json: string): Site {
  let given: Record<string, unknown> = {}
  try {
    given = Object(JSON.parse(json)) as Record<string, unknown>
  } catch (error) {
    console.warn('The site settings are not JSON; using the defaults', error)
  }
  const typed = Object.entries(defaults).map(([name, byDefault]) => [
    name,
    typeof given[name] === typeof byDefault ? given[name] : byDefault,
  ])
  const { siteName, developerUrl, loginProviders, ...others } = Object.fromEntries(typed) as Site
  return {
    ...others,
    siteName: siteName || defaults.siteName,
    developerUrl: /^https?:\/\//.test(developerUrl) ? developerUrl : '',
    loginProviders: Array.isArray(loginProviders) ? loginProviders : [],
  }
}
