// Every number of the business, with its unit. Specification sections 5 and 9 unless a line says otherwise.

const KiB = 1024
const MiB = 1024 * KiB
const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export const limits = {
  guest: { maxBytes: 5 * MiB, keptDays: 60 },
  user: { maxBytes: 10 * MiB, keptDays: 365 },
  /** An extended image expires one year (365 days) from the moment of the call. */
  extensionDays: 365,
  expiryNoticeDays: 7,

  image: {
    /** WebP's largest side in pixels: every accepted picture must exist in every output format. */
    maxSidePx: 16_383,
    /** A 50 MP phone picture has 49.94 MP. */
    maxPixels: 50_000_000,
    maxFrames: 500,
    maxPixelsAllFrames: 100_000_000,
    /** Progressive and interlaced pictures are held whole while they are decoded: width x height x samples x bytes. */
    maxHeldBytes: 256 * MiB,
    maxJpegScans: 100,
    maxIccBytes: 64 * KiB,
    maxIccInflatedBytes: MiB,
    maxSvgBytes: 2 * MiB,
  },

  variant: {
    maxSidePx: 4096,
    thumbnailPx: 400,
    listThumbnailPx: 200,
    lightboxPx: 1600,
    defaultWidthPx: 800,
    defaultQuality: 80,
    maxQuality: 100,
    /** The picture that small variants are made from, made once at the upload: its longest side. */
    intermediatePx: 1600,
    /** Variants up to this side come from the intermediate, larger ones from the original. */
    maxFromIntermediatePx: 800,
    /** An animation is kept while frames x output pixels stay within this, else its first frame is shown. */
    maxAnimatedPixels: 25_000_000,
    maxStoredPerImage: 32,
    /** Caches may keep a picture this long before they ask again, so that a deleted one does not live on in them. */
    cacheMs: hourMs,
  },

  upload: {
    /** What multipart framing and fields may add to the file itself. */
    framingBytes: 64 * KiB,
    maxFields: 10,
    maxFieldBytes: 4 * KiB,
    /** Of the name kept for show; the slug in file_name has its own bound. */
    maxNameLength: 200,
    maxSlugLength: 60,
  },

  json: { maxBodyBytes: MiB },

  account: {
    minPasswordLength: 6,
    maxPasswordLength: 200,
    maxEmailLength: 254,
    maxNameLength: 100,
  },

  session: { idleMs: 7 * dayMs, maxAgeMs: 30 * dayMs },
  tombstoneMs: 30 * dayMs,
  databasePinDigits: 4,

  list: { defaultLimit: 50, maxLimit: 200 },

  client: {
    timeoutMs: 10 * secondMs,
    retries: 3,
    /** An upload that moves no byte for this long is given up. */
    uploadStallMs: 30 * secondMs,
    copiedMs: 2 * secondMs,
  },
} as const
