// The limits that the document and its first script need: the sizes of early thumbnails, and what index.html tells the page
// (web/model/site.ts), at its defaults. limits.ts includes them; its other limits would be 1.5 kB of the first load.

const MiB = 1024 * 1024
const GiB = 1024 * MiB

export const firstScriptLimits = {
  /** Defaults of GUEST_MAX_BYTES, GUEST_RETENTION_DAYS, GUEST_MAX_DAYS, GUEST_QUOTA_BYTES and GUEST_MAX_FILES. */
  guest: { maxBytes: 5 * MiB, retentionDays: 60, maxDays: 365, quotaBytes: 20 * GiB, maxFiles: 50 },
  /** Defaults of USER_MAX_BYTES, USER_RETENTION_DAYS, USER_QUOTA_BYTES, USER_QUOTA_IMAGES and USER_UPLOADS_PER_HOUR. */
  user: { maxBytes: 10 * MiB, retentionDays: 365, quotaBytes: 10 * GiB, quotaImages: 100_000, uploadsPerHour: 1000 },
  /** Default of TRASH_DAYS: what was deleted on one weekend is still there on the next. */
  trashDays: 7,
  minPasswordLength: 6,
} as const

/** The document itself contains only these. */
export const thumbnailLimits = { thumbnailPx: 400, listThumbnailPx: 200 } as const
