// The settings of this site: JSON in index.html, so that nothing waits for a request.
import { createStore, useStore } from './store.ts'

export interface Site {
  siteName: string
  supportEmail: string
  developerUrl: string
  guestUploads: boolean
  /** Empty: the contact form is sent to this server. All three are set together. */
  emailJsPublicKey: string
  emailJsServiceId: string
  emailJsTemplateId: string
}

const defaults: Site = {
  siteName: 'Image Host',
  supportEmail: '',
  developerUrl: '',
  guestUploads: true,
  emailJsPublicKey: '',
  emailJsServiceId: '',
  emailJsTemplateId: '',
}

const given = typeof document === 'undefined' ? defaults : parseSite(document.getElementById('site')?.textContent ?? '')
// The prerendered page has the defaults, except for the name, which the server has inserted since.
const site = createStore({ ...defaults, siteName: given.siteName })
site.set(given)
export const useSite = () => useStore(site)

/** Takes each setting that has the right type, and the default for any other. */
export function parseSite(json: string): Site {
  let given: Record<string, unknown> = {}
  try {
    given = Object(JSON.parse(json)) as Record<string, unknown>
  } catch (error) {
    console.warn('The site settings are not JSON; using the defaults', error)
  }
  const pick = <K extends keyof Site>(key: K): Site[K] =>
    typeof given[key] === typeof defaults[key] ? (given[key] as Site[K]) : defaults[key]
  return {
    siteName: pick('siteName') || defaults.siteName,
    supportEmail: pick('supportEmail'),
    developerUrl: /^https?:\/\//.test(pick('developerUrl')) ? pick('developerUrl') : '',
    guestUploads: pick('guestUploads'),
    emailJsPublicKey: pick('emailJsPublicKey'),
    emailJsServiceId: pick('emailJsServiceId'),
    emailJsTemplateId: pick('emailJsTemplateId'),
  }
}
