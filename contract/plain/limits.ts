// Every product limit with its unit. Numbers of docs/reference.md unless a line gives another source. Timings of
// the page are defined in web/, tuning of the server beside the code that uses it.
import { firstScriptLimits, thumbnailLimits } from './first-script-limits.ts'

const KiB = 1024
const MiB = 1024 * KiB
const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export const limits = {
  guest: firstScriptLimits.guest,
  user: firstScriptLimits.user,
  trashDays: firstScriptLimits.trashDays,
  /** An extended image expires 365 days after the call. */
  extensionDays: 365,
  expiryNoticeDays: 7,
  /** Images whose expiry one request chooses. */
  maxExpiryImages: 200,
  /** An image that expires after its last view is kept for longer, until its views are written: every 10 seconds. */
  viewedExpiryGraceMs: 10 * minuteMs,
  /** From this many remaining days on, the notifications show the expiry in red. */
  expiryUrgentDays: 2,

  image: {
    /** WebP's largest side: every accepted image must fit every output format. */
    maxSidePx: 16_383,
    /** A 50 MP phone photo has 49.94 MP. */
    maxPixels: 50_000_000,
    maxFrames: 500,
    maxPixelsAllFrames: 100_000_000,
    /** Progressive and interlaced images are decoded whole: width x height x samples x bytes. */
    maxHeldBytes: 256 * MiB,
    maxJpegScans: 100,
    maxIccBytes: 64 * KiB,
    maxIccInflatedBytes: MiB,
    maxSvgBytes: 2 * MiB,
    /**
     * The longest side that an SVG is rasterized with; its variants are made from that raster.
     * libvips renders tiles of 2,000 px (svgload.c) and parses the whole file for each: 2,001 px
     * cost up to 4 times the time and 15 times the memory.
     */
    rasterPx: 2000,
  },

  variant: {
    maxSidePx: 4096,
    thumbnailPx: thumbnailLimits.thumbnailPx,
    listThumbnailPx: thumbnailLimits.listThumbnailPx,
    lightboxPx: 1600,
    defaultWidthPx: 800,
    defaultQuality: 80,
    maxQuality: 100,
    /** Longest side of the intermediate, rendered once at upload; small variants are made from it. */
    intermediatePx: 1600,
    /** Variants up to this side come from the intermediate, larger ones from the original. */
    maxFromIntermediatePx: 800,
    /** A variant stays animated while frames x output pixels is within this; otherwise it is the first frame. */
    maxAnimatedPixels: 25_000_000,
    /** A GIF is encoded slower than a WebP. */
    maxAnimatedGifPixels: 12_500_000,
    /** AVIF is encoded in 45 ms a megapixel; larger variants are WebP (docs/decisions/0045). */
    maxAvifPixels: 4_400_000,
    /** Longest side: of smaller variants AVIF saves no bytes worth a second render. */
    minAvifSidePx: 200,
    maxDensity: 4,
    /** Standard deviation of the Gaussian blur, in pixels of the variant. */
    maxBlurPx: 100,
    /** The widths of the ladder as AVIF and WebP, and half as many others. */
    maxStoredPerImage: 64,
    /** Caches may serve an image this long, which bounds how long they serve a deleted one. */
    cacheMs: hourMs,
    /** The part of that time in which they may serve it while they revalidate it. */
    revalidateMs: minuteMs,
    /** Shared caches that are purged (PURGE_URL) may serve it this long. */
    purgedCacheMs: dayMs,
    /** The same for a WebP that an AVIF will replace. */
    provisionalCacheMs: minuteMs,
  },

  /** The largest number of views after which an image is deleted. */
  maxViews: 1_000_000,
  viewKey: { maxDays: 365, defaultDays: 1 },

  /** Longest widths in pixels that pages on these kinds of screen need. */
  recommendedWidthsPx: { thumbnail: 400, mobile: 640, tablet: 1024, desktop: 1920 },

  /** Widths offered for embedded images. */
  embed: { widthsPx: [400, 800, 1200, 1600] },
  /** Widths of the lightbox image: small, usual, and large or zoomed. Never wider than the original. */
  lightboxWidthsPx: [800, 1600, 2400],

  upload: {
    /** Bounds of GUEST_MAX_BYTES and USER_MAX_BYTES: a decoder holds the file and its rewritten form in memory. */
    minMaxBytes: KiB,
    maxMaxBytes: 64 * MiB,
    /** Largest value of GUEST_RETENTION_DAYS, USER_RETENTION_DAYS and GUEST_MAX_DAYS: a hundred years. */
    maxRetentionDays: 36_500,
    /** Allowance for multipart framing and fields on top of the file itself. */
    framingBytes: 64 * KiB,
    maxFields: 10,
    maxFieldBytes: 4 * KiB,
    /** Headers of one multipart part, including the field name and the file name. */
    maxPartHeaderBytes: 64 * KiB,
    /** Of `original_name`; the slug in `file_name` has its own limit. */
    maxNameLength: 200,
    maxSlugLength: 60,
  },

  /**
   * Resumable uploads (docs/decisions/0059), finished ones included: of an address without an account, of an account,
   * and of all. A new one ends an idle one.
   */
  resumable: {
    lifetimeMs: dayMs,
    maxOfAddress: 30,
    maxOfAccount: 100,
    maxOfAll: 10_000,
    /** Without a request for this long, an upload ends where its space is needed. */
    idleMs: 60_000,
    /** Of Upload-Metadata: base64 of the longest name, title and alternative text. */
    maxMetadataLength: 8192,
  },

  share: {
    /** Of the preview of a link in chats, and how many images it has. */
    collage: { widthPx: 1200, heightPx: 630, gapPx: 6, images: 4 },
    maxTitleLength: 200,
    /** Fits a text field of an upload in UTF-8. */
    maxAltLength: 1000,
    minSlugLength: 3,
    maxSlugLength: 60,
    /** Of a suggested custom link: 40 bits. */
    suggestedSlugLength: 8,
    /** Longest side of the image in a link preview. */
    previewPx: 1200,
    /** Consumers of oEmbed may store a response this long. */
    oembedCacheMs: hourMs,
  },

  /** Uploads by URL (docs/decisions/0040); the length applies to the URLs of webhooks, too. */
  remote: { maxUrlLength: 2000, maxRedirects: 5, imageTimeoutMs: 30 * secondMs },

  webhooks: {
    maxPerUser: 10,
    /** Of a user: an upload is not sent many times to one site, which may be a stranger's. */
    maxPerHost: 3,
    /** Beyond it a webhook is switched off. */
    maxPending: 10_000,
    /** Of finished deliveries, per webhook. */
    maxStored: 1000,
    retentionDays: 30,
    /** A replaced secret signs this long beside the new one. */
    oldSecretMs: dayMs,
    timeoutMs: 15 * secondMs,
  },

  /** A body is buffered whole. Base64 takes 4/3 of the bytes of an image. */
  mcp: {
    maxBodyBytes: 16 * MiB,
    maxDataBytes: 11 * MiB,
    /** Calls of one account at a time. */
    maxOfAccount: 2,
    /** Bodies above limits.json.maxBodyBytes at a time, which are held in memory. */
    maxLargeBodies: 4,
    /** For a turn among them. */
    maxWaitMs: 10_000,
  },

  /** Clients of other hosts: files and text fields in one request, and images in a page of a list. */
  compat: { maxFiles: 10, maxFields: 30, lskyPage: 40, imgurPage: 50 },

  /** Largest quota that can be set: 1 PiB, and as many images as anyone stores. */
  quota: { maxBytes: 1024 ** 5, maxImages: 1_000_000_000 },

  /** Of most endpoints, and of those that take documents or long lists. */
  json: { maxBodyBytes: 64 * KiB, maxLongBodyBytes: MiB },

  account: {
    minPasswordLength: firstScriptLimits.minPasswordLength,
    maxPasswordLength: 200,
    /** Of a password that a command has generated. */
    temporaryPasswordMs: dayMs,
    /** Between the request to delete an account and its deletion. */
    deletionGraceMs: 7 * dayMs,
    maxEmailLength: 254,
    maxNameLength: 100,
  },

  /** A login beyond maxPerUser ends the session that was not used for the longest time. */
  session: { idleMs: 7 * dayMs, maxAgeMs: 30 * dayMs, maxPerUser: 50 },
  /** Time between showing and sending the form. Less is a bot; more is a page left open or a replay. */
  publicForm: {
    minOpenMs: 3 * secondMs,
    maxOpenMs: dayMs,
    maxHoneypotLength: 5000,
    /** Of each form without the time when it was shown, from all addresses: a quarter of `perInstance`. */
    untimed: { limit: 50, windowMs: hourMs },
  },
  contact: {
    maxNameLength: 100,
    maxEmailLength: 254,
    maxSubjectLength: 200,
    maxMessageLength: 5000,
    perAddress: { limit: 5, windowMs: hourMs },
    /** Of all addresses: more is a flood. */
    perInstance: { limit: 200, windowMs: hourMs },
    /** The oldest beyond this are deleted, except those whose mail is still queued. */
    maxStored: 10_000,
    maxFormFields: 20,
    maxFormFieldBytes: 32 * KiB,
  },
  /** A challenge takes 2^bits hashes on average: half a second on a desktop, two on a phone. */
  proofOfWork: { bits: 18, challengeMs: 5 * minuteMs, windowMs: hourMs },
  rateWindowMs: minuteMs,
  /** Defaults of RATE_LIMIT and RATE_LIMIT_ADMIN, and how many times as many requests uploads may take (docs/decisions/0061). */
  rate: { perMinute: 120, perMinuteOfAdmin: 240, uploadFactor: 10 },
  uploadWindowMs: hourMs,
  /** Requests with the same Idempotency-Key return the same image for this long. */
  idempotencyMs: dayMs,
  minGuestIdempotencyKey: 16,
  tombstoneMs: 30 * dayMs,
  /**
   * A deleted image can be restored for this long: the page offers it for 10 s, longer while the
   * pointer or the focus is on the offer, and deleting many images takes time too.
   */
  undoMs: minuteMs,
  databasePinDigits: 4,
  /** PIN of the database view. There are only 10,000 PINs, so the number of tries is limited. */
  pin: {
    unlockMs: 15 * minuteMs,
    /** Wrong PINs of one user before a lock; each further lock is twice as long. */
    triesBeforeLock: 5,
    lockMs: 15 * minuteMs,
    maxLockMs: dayMs,
    /** Wrong PINs of all non-admins within windowMs that close the view to them: 0.2 % of all PINs. */
    triesOfAll: 20,
    /** At least windowMs: the same attempts must not lock again. Each further lock is twice as long. */
    lockOfAllMs: dayMs,
    maxLockOfAllMs: 16 * dayMs,
    windowMs: dayMs,
    /** Wrong PINs of one user count for this long. */
    memoryMs: 7 * dayMs,
  },
  /** Documents of the database view. */
  documents: {
    defaultLimit: 10,
    maxLimit: 100,
    maxSkip: 1_000_000,
    maxBytes: MiB,
    maxDepth: 32,
    /** Of collection names and field names. */
    maxNameLength: 64,
    maxIdLength: 200,
    /** Ids in one deletion. */
    maxIds: 100,
    maxPerInsert: 1000,
    maxCollections: 1000,
    /** Of all collections together, for documents that come by the API. */
    maxTotalBytes: 4 * 1024 * MiB,
    /** Largest `__v` accepted with a document. */
    maxVersion: 99_999_999,
  },

  /** Above these numbers the oldest entries of an action are deleted before the retention ends. */
  audit: { retentionDays: 365, maxFailures: 100_000, maxOthers: 1_000_000, maxFilterLength: 254 },
  stats: { days: 30 },

  list: {
    defaultLimit: 50,
    maxLimit: 200,
    /** Images in an outline, and in each page that it points to. */
    maxOutline: 200_000,
    outlinePage: 100,
    maxExpiring: 1000,
    /** Images that a search or filter counts: a larger total is this and one more. */
    maxCounted: 5000,
    /** Of the words of a search. */
    maxSearchLength: 100,
    /** Of a query with its terms (image-query.ts): some long tags, and words. */
    maxQueryLength: 500,
    maxTerms: 20,
    maxCursorLength: 2000,
  },

  /** Tags of images: their length with all levels, and the images that one request changes. */
  tags: { maxPerImage: 200, maxLength: 100, maxDepth: 8, maxImages: 100 },

  /** Albums of an account, levels of them, and the images that one request adds, moves or removes. */
  albums: {
    /** Default of MAX_ALBUMS. */
    maxPerUser: 1000,
    maxDepth: 8,
    maxImages: 200,
    maxTitleLength: 200,
    maxDescriptionLength: 2000,
    maxMembers: 100,
    /** Of a guest's album, and albums that an address makes an hour. */
    maxGuestImages: 50,
    guestAlbumsPerHour: 30,
    inviteMs: 14 * dayMs,
  },
  links: {
    /** Default of MAX_LINKS: of an account. */
    maxPerUser: 10_000,
    /** Of a link that names its images. */
    maxImages: 200,
    maxNameLength: 100,
    maxNoteLength: 1000,
    maxWatermarkLength: 100,
    /** Pixels of the longest side where originals cannot be downloaded. */
    previewPx: 1600,
    minSizePx: 100,
    /** Of a generated slug: 60 bits. */
    slugLength: 12,
    /** What a visitor has opened stays open this long, also when the views of the link are used up. */
    visitMs: hourMs,
    /** Wrong passwords of an address and a link. */
    passwordTries: { limit: 10, windowMs: 15 * minuteMs },
    /** Images in the first response of the page of a link, and in each further one. */
    page: 60,
    /** ZIP files of an address: bytes in an hour, and at a time; and of all addresses at a time. */
    archives: { bytesPerHour: 20 * 1024 * MiB, maxOfAddress: 2, maxOfAll: 30 },
  },
} as const
