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
  /** Red in the notifications from here on. */
  expiryUrgentDays: 2,

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
    /**
     * SVGs are drawn once, with no side longer than this; their variants come from that picture. libvips draws in tiles of
     * 2,000 (svgload.c), each of them from the whole file: 2,001 pixels cost up to four times the time and 15 times the memory.
     */
    rasterPx: 2000,
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

  /** Longest widths in pixels that pages of these kinds of screen need. */
  recommendedWidthsPx: { thumbnail: 400, mobile: 640, tablet: 1024, desktop: 1920 },

  /** Widths that an embedded picture is offered in. */
  embed: { widthsPx: [400, 800, 1200, 1600] },
  /** Of the lightbox's picture in pixels: small, usual, and large or zoomed. Never wider than the original. */
  lightboxWidthsPx: [800, 1600, 2400],

  upload: {
    /** What multipart framing and fields may add to the file itself. */
    framingBytes: 64 * KiB,
    maxFields: 10,
    maxFieldBytes: 4 * KiB,
    /** Of the lines before a part of the form, the names of field and file among them. */
    maxPartHeaderBytes: 64 * KiB,
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
  contact: {
    maxNameLength: 100,
    maxEmailLength: 254,
    maxSubjectLength: 200,
    maxMessageLength: 5000,
    /** Security rules section 2.4. */
    perAddress: { limit: 5, windowMs: hourMs },
    /** Between the form's showing and its sending: less is a machine, more a page that was left open or a replay. */
    minOpenMs: 3 * secondMs,
    maxOpenMs: dayMs,
    maxFormFields: 20,
    maxFormFieldBytes: 32 * KiB,
  },
  /** The mail about images that come within expiryNoticeDays: asked for hourly, sent to a user at most once in this time. */
  digest: { everyMs: 23 * hourMs, maxListed: 50 },
  apiKeys: { maxPerUser: 20, maxNameLength: 100, prefixLength: 8, lastUsedEveryMs: minuteMs },
  /** Failed logins. Security rules section 2.1; never a lock of an account by a stranger. */
  login: {
    perAccountAndAddress: { limit: 5, windowMs: 15 * minuteMs },
    perAddress: { limit: 20, windowMs: 15 * minuteMs },
    perAccount: { limit: 100, windowMs: dayMs },
    maxDelayMs: minuteMs,
  },
  /** New accounts of one address: more than a person needs, room for an office behind one. */
  registration: { limit: 30, windowMs: hourMs },
  rateWindowMs: minuteMs,
  /** API calls, where the operator sets no other (RATE_LIMIT, RATE_LIMIT_ADMIN). */
  rate: { perMinute: 120, perMinuteOfAdmin: 240 },
  guestUploadWindowMs: hourMs,
  /** An Idempotency-Key answers with its image for this long. */
  idempotencyMs: dayMs,
  minGuestIdempotencyKey: 16,
  tombstoneMs: 30 * dayMs,
  /**
   * A deleted image can be brought back this long: the 10 s that the page offers it, what whoever points at the offer adds to
   * them, and the time that deleting many takes.
   */
  undoMs: minuteMs,
  databasePinDigits: 4,
  /** Of the database view. Decisions section 4: 10,000 PINs, so that guessing must be hopeless. */
  pin: {
    unlockMs: 15 * minuteMs,
    /** Wrong PINs of a user before a lock, which is twice as long each time. */
    triesBeforeLock: 5,
    lockMs: 15 * minuteMs,
    maxLockMs: dayMs,
    /** Wrong PINs of all non-admins within the window that close the view to them until it is reset. */
    triesOfAll: 20,
    windowMs: dayMs,
    /** Wrong PINs of a user are remembered this long. */
    memoryMs: 7 * dayMs,
    /** The page is seen to check a PIN for at least this long. Specification section 9. */
    shownMs: 500,
  },
  /** Documents of the database view. Specification section 9, decisions section 4, security rules section 2.2. */
  documents: {
    defaultLimit: 10,
    maxLimit: 100,
    maxSkip: 1_000_000,
    /** Between the selection of a collection and the request for its documents. Specification section 4. */
    selectDelayMs: 10,
    /** A page is held in memory whole: ten documents of the largest size, and some more. */
    maxPageBytes: 16 * MiB,
    maxBytes: MiB,
    maxDepth: 32,
    /** Of collections and of fields. */
    maxNameLength: 64,
    maxIdLength: 200,
    /** Ids in one deletion. */
    maxIds: 100,
    maxPerInsert: 1000,
    maxCollections: 1000,
    /** Of a `__v` that comes with a document. */
    maxVersion: 99_999_999,
    /** Documents of a deleted collection that leave in one statement, which holds up others on SQLite: as many as take so long. */
    sweepBatch: { first: 50, min: 10, max: 1000, wantedMs: 30 },
  },

  backup: {
    /** Whoever takes a backup gives a sign of life this often; after `deadMs` without one it counts as failed. */
    seenEveryMs: 2 * secondMs,
    deadMs: 2 * minuteMs,
    /** For the estimate of its time: bytes copied and images read in a second, on a small machine (measured). */
    bytesPerSecond: 50 * MiB,
    imagesPerSecond: 500,
    /** For the rows, and so that the disk is not full afterwards. */
    spareBytes: 64 * MiB,
    /** Two servers with one schedule take one backup. */
    scheduleGapMs: 50 * secondMs,
    /** Files of deleted collections: the newest is kept whatever its size, others as long as all stay within the bytes. */
    snapshots: { keep: 5, maxBytes: 1024 * MiB, bytesPerRead: 4 * MiB, documentsPerRead: 500 },
    /** A download by link has to begin within this time. */
    linkMs: minuteMs,
    /** The page asks this often how far a backup is, and shows no more than this part of it until it is completed. */
    pollMs: 3 * secondMs,
    maxShownWhileRunning: 0.95,
  },
  stats: { days: 30 },

  list: {
    defaultLimit: 50,
    maxLimit: 200,
    /** Images in an outline, and in each page that it names. */
    maxOutline: 200_000,
    outlinePage: 100,
    maxExpiring: 1000,
    maxSearchLength: 100,
    maxCursorLength: 2000,
  },

  client: {
    timeoutMs: 10 * secondMs,
    retries: 3,
    /** An upload that moves no byte for this long is given up. */
    uploadStallMs: 30 * secondMs,
    copiedMs: 2 * secondMs,
    /** The count of images that expire soon is asked for again this often, and on return to the page after a minute. */
    expiringRefreshMs: 10 * minuteMs,
    expiringReturnMs: minuteMs,
    /** The bar with 'Undo' after a deletion. */
    undoShownMs: 10 * secondMs,
    /** An extended image stays in the notifications this long, with its new date. */
    extendedShownMs: 2 * secondMs,
    tooltipDelayMs: 700,
    /** Conversion of a registered user's upload to WebP. */
    webpQuality: 85,
    webpMaxSidePx: 3000,
    /** A conversion that takes longer hangs; the original is sent. */
    webpGiveUpMs: minuteMs,
    parallelUploads: 3,
  },
  /** One document on screen, in the database view: a megabyte of it must not hold up the page. */
  documentPanel: {
    /** Fields, keys and items that are shown at once; the others follow in slices. */
    slice: 100,
    /** A longer text is cut, and shows ten times as much with each wish for more. */
    cutAtChars: 300,
    /** Lines of the tree that may be open before anybody opened one. */
    openLines: 300,
    /** Texts longer than this are edited in a box of several lines. */
    longTextChars: 50,
    /** Beyond it a box does without what takes browsers long: a megabyte with `dir="auto"` took Chromium 20 s to lay out. */
    largeTextChars: 10_000,
    drafts: 10,
    /** A larger draft is kept as long as the page, but not over a reload. */
    maxDraftChars: 200_000,
    keepDraftAfterMs: 300,
  },
  /** Of an answer that is tried in the docs: bytes that are read, characters that are shown, and shown in colour. */
  docs: { maxReadBytes: 64 * MiB, maxShownChars: 100_000, maxColouredChars: 60_000 },
  /** Images in the command palette: asked for when typing pauses this long, so many at most. */
  palette: { afterMs: 200, count: 6 },
} as const
