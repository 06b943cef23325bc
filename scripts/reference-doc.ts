// Generates docs/reference.md, the limits and failure codes, from the contract. `npm run docs` writes the file.
import { accountLimits } from '../contract/plain/account-limits.ts'
import { failures } from '../contract/plain/failures.ts'
import { formats, formatsFor } from '../contract/plain/formats.ts'
import { dayMs, hourMs, limits, minuteMs } from '../contract/plain/limits.ts'
import { moderationLimits, reportLimits } from '../contract/plain/moderation-limits.ts'
import { widthLadder } from '../contract/plain/width-ladder.ts'

type Row = [what: string, value: string]

const { image, variant, upload, share, account, pin, documents } = limits

const tables: Record<string, Row[]> = {
  Uploads: [
    ['Types, by content', `${labelsFor('guest')}; of users ${labelsFor('user')}`],
    ['File of a guest; of a user', `${size(limits.guest.maxBytes)}; ${size(limits.user.maxBytes)} (settings)`],
    ['Largest file that a setting allows', size(upload.maxMaxBytes)],
    [
      'Retention of a guest image; of a user',
      `${limits.guest.retentionDays} days; ${limits.user.retentionDays} days (settings)`,
    ],
    [
      'Extension',
      `${limits.extensionDays} days from the request; of a guest image to at most ${limits.guest.maxDays} days after its upload`,
    ],
    [
      'Storage of an account; of all guests',
      `${size(limits.user.quotaBytes)} and ${count(limits.user.quotaImages)} images; ${size(limits.guest.quotaBytes)} (settings)`,
    ],
    ['Side of an image', `${count(image.maxSidePx)} px`],
    ['Area of an image; of all frames', `${pixels(image.maxPixels)}; ${pixels(image.maxPixelsAllFrames)}`],
    ['Frames', count(image.maxFrames)],
    ['Memory to decode a progressive or interlaced image', size(image.maxHeldBytes)],
    [
      'JPEG scans; ICC profile; inflated',
      `${image.maxJpegScans}; ${size(image.maxIccBytes)}; ${size(image.maxIccInflatedBytes)}`,
    ],
    ['SVG file; its raster', `${size(image.maxSvgBytes)}; ${count(image.rasterPx)} px`],
    ['Files in one request of a compatible API', count(limits.compat.maxFiles)],
    [
      'Form around the file',
      `${size(upload.framingBytes)}, ${upload.maxFields} fields of ${size(upload.maxFieldBytes)}`,
    ],
    [
      'File name; title; alternative text',
      `${upload.maxNameLength}; ${share.maxTitleLength}; ${count(share.maxAltLength)} characters`,
    ],
    ['Custom link', `${share.minSlugLength} to ${share.maxSlugLength} characters`],
    ['View limit', `1 to ${count(limits.maxViews)}`],
    ['An idempotency key is remembered', time(limits.idempotencyMs)],
    [
      'Resumable uploads: lifetime; per address, per account, in total',
      `${time(limits.resumable.lifetimeMs)}; ${limits.resumable.maxOfAddress}, ${limits.resumable.maxOfAccount}, ${count(limits.resumable.maxOfAll)}`,
    ],
    [
      'Upload by URL',
      `URL of ${count(limits.remote.maxUrlLength)} characters, ${limits.remote.maxRedirects} redirects, ${time(limits.remote.imageTimeoutMs)}`,
    ],
    ['Undo of a deletion; tombstone', `${time(limits.undoMs)}; ${time(limits.tombstoneMs)}`],
    ['An image is listed as expiring', `${limits.expiryNoticeDays} days before its expiry`],
  ],
  'Image delivery': [
    ['Side of a variant', `1 to ${count(variant.maxSidePx)} px`],
    ['Quality', `1 to ${variant.maxQuality}, ${variant.defaultQuality} by default`],
    ['Widths of the image engine', `${widthLadder.join(', ')} px`],
    ['Pixel density; blur', `1 to ${variant.maxDensity}; 1 to ${variant.maxBlurPx} px`],
    ['Variants stored per image', count(variant.maxStoredPerImage)],
    ['AVIF', `up to ${pixels(variant.maxAvifPixels)}`],
    [
      'All frames of an animated WebP; of a GIF',
      `${pixels(variant.maxAnimatedPixels)}; ${pixels(variant.maxAnimatedGifPixels)}`,
    ],
    [
      'Intermediate; variants rendered from it',
      `${count(variant.intermediatePx)} px; up to ${variant.maxFromIntermediatePx} px`,
    ],
    [
      'Age in caches',
      `${time(variant.cacheMs)}, of which ${time(variant.revalidateMs)} while revalidating; ${time(variant.purgedCacheMs)} in caches that are purged; ${time(variant.provisionalCacheMs)} for a WebP that an AVIF will replace`,
    ],
    [
      'Image in a link preview; age of an oEmbed response',
      `${count(share.previewPx)} px; ${time(share.oembedCacheMs)}`,
    ],
    [
      'ZIP files of links, for an address',
      `${size(limits.links.archives.bytesPerHour)} an hour, ${limits.links.archives.maxOfAddress} at a time`,
    ],
    ['Recommended sizes', `${Object.values(limits.recommendedWidthsPx).join(', ')} px`],
  ],
  Accounts: [
    [
      'Password; email; name',
      `${account.minPasswordLength} to ${account.maxPasswordLength}; ${account.maxEmailLength}; ${account.maxNameLength} characters`,
    ],
    ['A generated password works', time(account.temporaryPasswordMs)],
    [
      'Session',
      `${time(limits.session.idleMs)} without use, ${time(limits.session.maxAgeMs)} at most, ${limits.session.maxPerUser} per user`,
    ],
    ['A login or confirmation is recent', time(accountLimits.recentLoginMs)],
    [
      'Failed logins',
      `${rate(accountLimits.login.perAccountAndAddress)} per account and address, then one attempt in 1, 2, 4 … ${accountLimits.login.maxDelayMs / 1000} s; ${rate(accountLimits.login.perAddress)} per address; ${rate(accountLimits.login.perAccount)} per account, then slower`,
    ],
    [
      'Second factor',
      `within ${time(accountLimits.factors.challengeMs)} of the password; wrong codes: ${rate(accountLimits.factors.codes.perAccountAndAddress)} per account and address, ${rate(accountLimits.factors.codes.perAccount)} per account`,
    ],
    [
      'Recovery codes; passkeys',
      `${accountLimits.factors.recoveryCodes}; ${accountLimits.factors.maxPasskeys} per user`,
    ],
    ['New accounts', `${rate(accountLimits.registration)} per address`],
    [
      'Invites',
      `${accountLimits.invites.max}, each for up to ${count(accountLimits.invites.maxUses)} accounts and ${accountLimits.invites.maxDays} days`,
    ],
    [
      'Links in mails',
      `valid for ${time(accountLimits.mailLinks.confirmMs)}, a password link for ${time(accountLimits.mailLinks.resetMs)}; ${rate(accountLimits.mailLinks.perRecipient)} to a recipient, ${rate(accountLimits.mailLinks.perSender)} from an address`,
    ],
    ['Deletion of an account', `after ${time(account.deletionGraceMs)}, unless it is immediate`],
    ['Downloads of all own data', rate(accountLimits.ownData)],
    [
      'API keys',
      `${accountLimits.apiKeys.maxPerUser} per user; own limits up to ${count(accountLimits.apiKeys.maxUploadsPerHour)} uploads an hour and ${size(accountLimits.apiKeys.maxTotalBytes)}`,
    ],
  ],
  'Requests and webhooks': [
    [
      'Requests per minute',
      `${limits.rate.perMinute}, admins ${limits.rate.perMinuteOfAdmin} (settings); uploads ${limits.rate.uploadFactor} times as many, for themselves`,
    ],
    ['JSON body; documents and blocklists', `${size(limits.json.maxBodyBytes)}; ${size(limits.json.maxLongBodyBytes)}`],
    [
      'Body of `/mcp`; image in it',
      `${size(limits.mcp.maxBodyBytes)}; ${size(limits.mcp.maxDataBytes)}; ${limits.mcp.maxOfAccount} calls of an account at a time`,
    ],
    ['List page', `${limits.list.defaultLimit}, ${limits.list.maxLimit} at most`],
    [
      'Query of a search',
      `${limits.list.maxQueryLength} characters, ${limits.list.maxTerms} terms, ${limits.list.maxSearchLength} characters of text in one`,
    ],
    [
      'Tags',
      `${limits.tags.maxPerImage} of an image, ${limits.tags.maxLength} characters, ${limits.tags.maxDepth} levels; ${limits.tags.maxImages} images in one request`,
    ],
    ['A search or filter counts up to', `${count(limits.list.maxCounted)} images`],
    [
      'Webhooks',
      `${limits.webhooks.maxPerUser} per user, ${limits.webhooks.maxPerHost} to one host; ${time(limits.webhooks.timeoutMs)} per try`,
    ],
    [
      'Webhook deliveries',
      `${count(limits.webhooks.maxPending)} pending, ${count(limits.webhooks.maxStored)} finished for ${limits.webhooks.retentionDays} days`,
    ],
    ['A replaced webhook secret still signs', time(limits.webhooks.oldSecretMs)],
    ['Proof of work', `${limits.proofOfWork.bits} bits, within ${time(limits.proofOfWork.challengeMs)}, once`],
  ],
  'Moderation and messages': [
    [
      'Blocked images; networks',
      `${count(moderationLimits.maxBlockedImages)}; ${count(moderationLimits.maxBlockedNetworks)}; ${moderationLimits.maxBlocks} per request`,
    ],
    [
      'Images look the same',
      `up to ${moderationLimits.nearDistance} of 64 bits apart, from a quality of ${moderationLimits.nearQuality}`,
    ],
    ['Images in one decision', count(moderationLimits.maxIds)],
    [
      'Reports',
      `${rate(reportLimits.perAddress)} per address; ${count(reportLimits.maxOpen)} open; ${reportLimits.maxStoredPerImage} stored per image; decisions kept ${time(reportLimits.decidedRetentionMs)}`,
    ],
    [
      'Contact messages',
      `${rate(limits.contact.perAddress)} per address, ${rate(limits.contact.perInstance)} in total; the newest ${count(limits.contact.maxStored)} are stored`,
    ],
    ['A public form is open', `${time(limits.publicForm.minOpenMs)} to ${time(limits.publicForm.maxOpenMs)}`],
    ['Audit log', `${limits.audit.retentionDays} days (setting)`],
    ["Hash of an uploader's address", `${accountLimits.addressRetentionDays} days (setting)`],
  ],
  'Database view': [
    ['PIN', `${limits.databasePinDigits} digits; unlocks for ${time(pin.unlockMs)}`],
    [
      'Wrong PINs of a user',
      `${pin.triesBeforeLock}, then a lock of ${time(pin.lockMs)}, doubling to ${time(pin.maxLockMs)}`,
    ],
    [
      'Wrong PINs of all users but admins',
      `${pin.triesOfAll} in ${time(pin.windowMs)}, then closed for ${time(pin.lockOfAllMs)}, doubling to ${time(pin.maxLockOfAllMs)}`,
    ],
    [
      'Document',
      `${size(documents.maxBytes)}, ${documents.maxDepth} levels, names of ${documents.maxNameLength} characters`,
    ],
    [
      'Collections',
      `${count(documents.maxCollections)}; ${size(documents.maxTotalBytes)} together; pages of ${documents.defaultLimit}, ${documents.maxLimit} at most`,
    ],
    ['Documents in one request', `${count(documents.maxPerInsert)} added, ${documents.maxIds} deleted`],
  ],
}

/** The content of docs/reference.md. */
export function referencePage(): string {
  const sections = Object.entries(tables).map(([topic, rows]) =>
    [`### ${topic}`, '| What | Limit |', '|---|---|', ...rows.map(([what, value]) => `| ${what} | ${value} |`)].join(
      '\n',
    ),
  )
  const codes = Object.entries(failures)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, text }]) => `| ${status} | \`${code}\` | ${text} |`)
  return `${[
    '# Reference',
    'Generated from `contract/` by `npm run docs`; a test fails when this page is stale.',
    '',
    '## Limits',
    'A limit marked as a setting can be changed: see [configuration.md](configuration.md). `GET /api/limits` returns the upload',
    'limits of a running server.',
    '',
    sections.join('\n\n'),
    '',
    '## Failures',
    'A failure is `{"error": text, "code": name}` with the status below. Programs use the code; the text is for people and can',
    'change. Everything else is a bug: 500 `internal`, with the details in the log only.',
    '',
    '| Status | Code | Text |',
    '|---|---|---|',
    ...codes,
  ].join('\n')}\n`
}

function labelsFor(uploader: 'guest' | 'user'): string {
  return formatsFor(uploader)
    .map((name) => formats[name].label)
    .join(', ')
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}

function size(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  let unit = 0
  let rest = bytes
  for (; rest >= 1024; rest /= 1024) unit += 1
  return `${rest} ${units[unit]}`
}

function pixels(area: number): string {
  return `${area / 1_000_000} MP`
}

function time(ms: number): string {
  const [unit, length] =
    ms % dayMs === 0
      ? ['day', dayMs]
      : ms % hourMs === 0
        ? ['hour', hourMs]
        : ms % minuteMs === 0
          ? ['minute', minuteMs]
          : ['second', 1000]
  const amount = ms / Number(length)
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

function rate({ limit, windowMs }: { limit: number; windowMs: number }): string {
  return `${limit} in ${time(windowMs)}`
}
