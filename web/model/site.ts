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

const json = typeof document === 'undefined' ? undefined : document.getElementById('site')?.textContent
const given: Site = { ...defaults, ...(JSON.parse(json ?? '{}') as Partial<Site>) }
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
