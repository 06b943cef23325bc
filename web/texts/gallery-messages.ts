// Texts about stored images: the new upload, the guest's list, the dashboard.
import { countedImages, keptFor, type Retention } from './counts.ts'

export const result = {
  title: 'Your link is ready',
  url: 'Image URL',
  copyAs: 'Copy as',
  qr: 'QR',
  qrLabel: 'QR code of the image URL',
  embed: 'Embed code',
  another: 'Upload another',
  more: 'Upload more',
  share: 'Share',
}

export const gallery = {
  recent: 'Recent uploads',
  /** A guest's images that were uploaded together. */
  batch: (n: number) => `${n} images uploaded together`,
  showAll: (n: number) => `Show all ${n}`,
  share: 'Share',
  embed: 'Embed code',
  extend: 'Extend to 1 year',
  /** Of the selection. */
  extendSelected: 'Extend',
  delete: 'Delete',
  actionsFor: (name: string) => `Actions for ${name}`,
  open: (name: string) => `View ${name}`,
  deletedGuest: 'Image deleted successfully',
  deleted: 'Image deleted successfully!',
  deleteFailed: 'Failed to delete image',
  extended: 'Expiration extended to 1 year',
  extendedSome: (n: number) => `${countedImages(n)} extended to 1 year`,
  /** For a guest's image whose total life does not allow another year. */
  extendedUntil: (date: string) => `Kept until ${date}`,
  extendFailed: 'Failed to extend expiration date',
  fetchFailed: 'Failed to fetch images',
  empty: 'No images yet. Drop, paste or choose your first image.',
  /** Below it, on the first visit. */
  firstLines: (kept: Retention) => [
    'Each one gets a link at once, and ready-made code for websites, chats and documents.',
    kept.retentionDays === 0
      ? 'It is kept until you delete it.'
      : `It is kept ${keptFor(kept)}. You can keep it longer, or delete it, at any time.`,
  ],
  heading: 'Your images',
  noMatch: 'No images match.',
  clearFilters: 'Clear filters',
  pageMissing: 'Some images could not be loaded.',
  privateName: (name: string) => `${name}, private`,
  tile: (name: string, expires: string) => `${name}, ${expires}`,
  select: (name: string) => `Select ${name}`,
  moreActions: 'More actions',
  dimensions: (width: number, height: number) => `${width} × ${height}`,
  views: (n: number) => (n === 1 ? '1 view' : `${n.toLocaleString('en-US')} views`),
}

/** The heads of the list. */
export const columns = {
  label: 'Columns',
  names: {
    name: 'Name',
    dimensions: 'Dimensions',
    size: 'Size',
    views: 'Views',
    added: 'Added',
    expires: 'Expires',
  },
}

/** The texts of format/expiry-texts.ts. */
export const expiry = {
  kept: 'Kept',
  expired: 'Expired',
  today: 'Expires today',
  tomorrow: 'Expires tomorrow',
  days: (days: number) => `Expires in ${days} days`,
  weeks: (weeks: number) => `Expires in ${weeks} weeks`,
  on: (date: string) => `Expires on ${date}`,
}

/** What the head of the list's column says already. */
export const expiryPrefix = /^Expires (?:on )?/

/** The ways to copy an image: what the button says, and its menu. */
export const copyAs = {
  more: 'More ways to copy',
  choices: { url: 'Direct URL', page: 'Share page', markdown: 'Markdown', html: 'HTML', bbcode: 'BBCode' },
  actions: {
    url: 'Copy URL',
    page: 'Copy share page',
    markdown: 'Copy Markdown',
    html: 'Copy HTML',
    bbcode: 'Copy BBCode',
  },
}

export const copy = {
  url: 'URL copied to clipboard!',
  code: (format: string) => `${format} code copied!`,
  private: 'Copied. This image is private: only you can open it',
  failed: 'Failed to copy to clipboard',
  copied: 'Copied',
  action: 'Copy',
}

export const dashboard = {
  hello: (email: string) => `Hello, ${email}`,
  figures: (n: number, size: string) => (n === 0 ? '0 images' : `${countedImages(n)} · ${size}`),
  /** `1.2 GB of 10 GB` */
  usage: (size: string, limit: string) => `${size} of ${limit}`,
  imagesUsed: (n: number, limit: number) => `${n.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} images`,
  quota: 'Storage used',
  imageQuota: 'Images used',
}
