// Limits of accounts and audit that most pages do not need.
import { dayMs, hourMs, minuteMs } from './limits.ts'

export const accountLimits = {
  /** Links in mails: how long they work, and how many are sent. */
  mailLinks: {
    confirmMs: dayMs,
    resetMs: hourMs,
    perRecipient: { limit: 3, windowMs: hourMs },
    perSender: { limit: 20, windowMs: hourMs },
    /** Of a client address: used, expired and altered links. */
    wrong: { limit: 20, windowMs: 15 * minuteMs },
    maxTokenLength: 100,
  },
  /** Of the name of an image in a mail: its words are a stranger's. */
  mail: { maxSlugLength: 20 },
  /** Browsers that a user logged in with; mails about others. */
  browsers: { maxPerUser: 50, minIdLength: 16, maxIdLength: 64, notices: { limit: 5, windowMs: hourMs } },
  invites: { max: 100, maxUses: 1000, maxDays: 365, defaultDays: 7, maxNoteLength: 100 },
  apiKeys: {
    maxPerUser: 20,
    maxNameLength: 100,
    prefixLength: 8,
    lastUsedEveryMs: minuteMs,
    /** The largest limits that a key can have: beyond them a limit limits nothing. */
    maxUploadsPerHour: 100_000,
    maxTotalBytes: 1024 ** 5,
  },
  factors: {
    /** Between a password and its second factor, and for passkeys and logins at providers. */
    challengeMs: 5 * minuteMs,
    /**
     * Wrong codes. A client address alone does not reach the limit of an account, which would lock the owner out. Of many
     * addresses that know the password one guesses right in 230 days: three codes are valid at a time.
     */
    codes: {
      perAccountAndAddress: { limit: 10, windowMs: 15 * minuteMs },
      perAccount: { limit: 60, windowMs: hourMs },
    },
    recoveryCodes: 10,
    maxPasskeys: 20,
    maxNameLength: 60,
    /** Of a field in base64url: more than any authenticator sends. */
    maxWebAuthnLength: 20_000,
  },
  /** A download link must be opened within this time. */
  downloadLinkMs: minuteMs,
  /** Archives of the own data, which read every image of an account. */
  ownData: { limit: 5, windowMs: hourMs },
  /** After a login or a confirmation, actions that need the password do without it. */
  recentLoginMs: 10 * minuteMs,
  /** The mail about images within expiryNoticeDays of their expiry: checked hourly, at most one per user in everyMs. */
  digest: { everyMs: 23 * hourMs, maxListed: 50 },
  /** Failed logins. A delay, never an account lock, which would let a third party lock an owner out. */
  login: {
    perAccountAndAddress: { limit: 5, windowMs: 15 * minuteMs },
    perAddress: { limit: 20, windowMs: 15 * minuteMs },
    perAccount: { limit: 100, windowMs: dayMs },
    maxDelayMs: minuteMs,
  },
  /** New accounts per client address: more than one person needs, enough for an office behind one address. */
  registration: { limit: 30, windowMs: hourMs },
  /** Defaults of ADDRESS_RETENTION_DAYS and AUDIT_RETENTION_DAYS. */
  addressRetentionDays: 30,
  /** Entries of the audit log about requests that a blocklist refused. */
  blockRefusalEntries: { perAddress: { limit: 1, windowMs: hourMs }, perInstance: { limit: 100, windowMs: hourMs } },
} as const
