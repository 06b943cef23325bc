// Limits of moderation and reports, which most pages do not need.
import { dayMs, hourMs } from './limits.ts'

export const moderationLimits = {
  /** Images in one decision of an admin. */
  maxIds: 200,
  /** Fits the URL of an image. */
  maxSearchLength: 300,
  maxReasonLength: 200,
  /** Their perceptual hashes are compared with each upload: 8 bytes and 40 ns each. */
  maxBlockedImages: 1_000_000,
  maxBlockedNetworks: 100_000,
  /** Images or networks in one request that adds or removes blocks. */
  maxBlocks: 200,
  /** Fits the hash of an uploader's network, `hash:` and 64 digits. */
  maxNetworkLength: 70,
  /** Differing bits, of 64, up to which a perceptual hash is a near match (docs/decisions/0036). */
  nearDistance: 6,
  /** Images below this quality, such as blank and symmetric ones, resemble too many others to be compared. */
  nearQuality: 50,
}

export const reportLimits = {
  /** Fits the URL of an image. */
  maxImageLength: 300,
  maxCommentLength: 2000,
  maxEmailLength: 254,
  maxNoteLength: 1000,
  perAddress: { limit: 5, windowMs: hourMs },
  /** Of all addresses: more is a flood. */
  perInstance: { limit: 200, windowMs: hourMs },
  /** Cases that are dismissed by one request. */
  maxDismissed: 200,
  /** Stored reports that no admin has decided about. */
  maxOpen: 10_000,
  /** Stored reports of one image: further ones are counted, so that no image fills the queue. */
  maxStoredPerImage: 20,
  /** Reported images per page, each with its reports. */
  maxPage: 50,
  decidedRetentionMs: 365 * dayMs,
  /** The mail to SUPPORT_EMAIL about newly reported images. */
  digest: { everyMs: hourMs, maxListed: 20 },
}
