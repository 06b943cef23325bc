// The settings of a site that its page knows: the server writes them into index.html as JSON.

/** Who may register: anyone, people with an invitation, or no one. */
type Registration = 'open' | 'invite' | 'closed'

interface LoginProvider {
  id: string
  name: string
}

export interface Site {
  siteName: string
  /** Of the product; empty in the prerendered page. */
  version: string
  supportEmail: string
  developerUrl: string
  guestUploads: boolean
  /** Whether this site sends mail. */
  mail: boolean
  registration: Registration
  /** Characters of a new password. */
  passwordMin: number
  passwordLogin: boolean
  /** OpenID providers where users log in. */
  loginProviders: readonly LoginProvider[]
  guestMaxBytes: number
  guestRetentionDays: number
  guestMaxFiles: number
  userMaxBytes: number
  /** 0: images do not expire. */
  userRetentionDays: number
  /** Whether these days count from the last view. */
  isExpiryAfterView: boolean
  mayKeep: 'nobody' | 'admins' | 'users'
  trashDays: number
  /** Empty: the contact form is sent to this server. All three are set together. */
  emailJsPublicKey: string
  emailJsServiceId: string
  emailJsTemplateId: string
}
