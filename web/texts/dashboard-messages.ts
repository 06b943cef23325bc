// The dashboard around its images: toolbar, selection, sheets and bars.
import { formatNames, formats, type ImageFormat } from '../../contract/plain/formats.ts'
import type { Visibility } from '../../contract/plain/visibility.ts'
import { countedImages, keptFor, type Retention } from './counts.ts'
import { formatList } from './format-list.ts'

export const toolbar = {
  label: 'Search and filters',
  search: 'Search names, titles and tags',
  /** It fits a phone. */
  searchHint: 'Search images',
  sort: 'Sort',
  sorts: {
    newest: 'Newest first',
    oldest: 'Oldest first',
    expiry: 'Expiring first',
    expiry_desc: 'Expiring last',
    largest: 'Largest first',
    smallest: 'Smallest first',
    name: 'Name, A to Z',
    name_desc: 'Name, Z to A',
    views: 'Most viewed',
    views_asc: 'Least viewed',
  },
  expiry: 'Expiry',
  anyExpiry: 'Any expiry',
  soon: 'Expiring soon',
  kept: 'Kept',
  unviewed: 'Not viewed for a year',
  type: 'Type',
  anyType: 'Any type',
  types: Object.fromEntries(formatNames.map((name) => [name, formats[name].label])) as Record<ImageFormat, string>,
  filters: (n: number) => (n === 0 ? 'Filters' : `Filters (${n})`),
  filtersTitle: 'Filters',
  apply: 'Show images',
  view: 'View',
  grid: 'Grid',
  list: 'List',
  size: 'Size of the images',
  readOnly: 'Read-only',
  found: (n: number) => `${countedImages(n)} found`,
}

export const uploadOptions = {
  label: 'Upload options',
}

export const actions = {
  view: 'Open',
  share: 'Share',
  analyze: 'Analyze',
  views: 'Statistics',
  link: 'Protected link...',
  qr: 'QR code',
  download: 'Download',
  downloadFailed: 'The image could not be downloaded',
  imageUrlCopied: 'Image URL copied to clipboard!',
  qrLabel: (name: string) => `QR code of the address of ${name}`,
}

export const selection = {
  label: 'Selection',
  /** @param own how many are of the user: in an album, others are of its other members */
  count: (n: number, own = n) =>
    `${n.toLocaleString('en-US')} selected${own === n ? '' : `, ${own === 0 ? 'none' : own.toLocaleString('en-US')} of them yours`}`,
  reading: 'Selecting all images...',
  readFailed: 'Not all images could be selected',
  copyAs: 'Copy as',
  copy: 'Copy',
  copied: (n: number, format: string) => `${countedImages(n)} copied as ${format}`,
  formats: { url: 'URLs', page: 'share pages', markdown: 'Markdown', html: 'HTML', bbcode: 'BBCode' },
  delete: 'Delete',
  clear: 'Clear',
  deleting: 'Deleting...',
}

export const visibility = {
  makePrivate: 'Make private',
  makePublic: 'Make public',
  done: (n: number, visibility: Visibility) =>
    n === 1 ? `The image is ${visibility} now` : `${countedImages(n)} are ${visibility} now`,
  failed: 'The visibility could not be changed',
}

export const expiring = {
  keep: 'Keep',
  choose: 'Expires on...',
  kept: (n: number) => (n === 1 ? 'The image is kept' : `${countedImages(n)} are kept`),
  on: (n: number, date: string) => (n === 1 ? `The image expires on ${date}` : `${countedImages(n)} expire on ${date}`),
  failed: 'The expiry could not be changed',
  undone: 'Expiry restored',
  undoFailed: 'The expiry could not be restored',
  dialogTitle: (n: number) => (n === 1 ? 'When the image expires' : `When ${countedImages(n)} expire`),
  date: 'Expires on',
  hint: (n: number) => `At the end of this day. Then the ${n === 1 ? 'image is' : 'images are'} removed.`,
  noDate: 'Choose a date',
  save: 'Save',
  busy: 'Saving...',
}

export const tagging = {
  action: 'Tags',
  undone: 'Tags restored',
  undoFailed: 'The tags could not be restored',
}

export const undo = {
  label: 'Undo',
  some: (n: number) => `${countedImages(n)} deleted`,
  action: 'Undo',
  done: (n: number) => `${countedImages(n)} restored`,
  failed: (n: number) => `${countedImages(n)} could not be restored`,
  lost: (n: number) => `${countedImages(n)} can no longer be restored`,
  dismiss: 'Dismiss',
}

export const confirmEmail = {
  label: 'Email address',
  title: 'Confirm your email address',
  text: (email: string) => `Until then no mail about expiring images or new logins goes to ${email}.`,
  open: 'Open account page',
}

export const claim = {
  label: 'Images from this browser',
  title: (n: number) => `${countedImages(n)} from this browser ${n === 1 ? 'was' : 'were'} uploaded without an account`,
  text: (n: number, kept: Retention) =>
    `Move ${n === 1 ? 'it' : 'them'} into your account: ${n === 1 ? 'it is' : 'they are'} kept ${keptFor(kept)} and can be managed from any device.`,
  move: (n: number) => (n === 1 ? 'Move it' : 'Move them'),
  moving: 'Moving...',
  notNow: 'Not now',
  done: (n: number) => `${countedImages(n)} moved into your account`,
  failed: 'The images could not be moved',
}

export const lookup = {
  failed: 'This image is not among yours, or it is gone',
}

export const instructions = {
  title: 'User Instructions',
  items: (size: string, kept: Retention) => [
    {
      title: 'Upload',
      text: `Drop an image anywhere on this page, paste it, or choose a file: ${formatList('user')}, up to ${size}. Photos are converted to WebP to save space; GIF and SVG stay as they are. Many files and whole folders upload one after another.`,
    },
    {
      title: 'Share and embed',
      text: 'Copy the URL, share it, or take ready-made code for websites, apps and documents in twelve formats. The QR code brings an image to a phone.',
    },
    {
      title: 'Look closer',
      text: 'Open an image to zoom and to go through all of them. “Analyze” shows its format, colours, tips to make it smaller, and sizes that fit.',
    },
    {
      title: 'Keep it longer',
      text: `Images are kept ${keptFor(kept)}. Within the last 7 days their expiry is red and they are listed under Notifications; extending keeps an image for one more year.`,
    },
    {
      title: 'Many at once',
      text: 'Tick the circle of an image, or press long on a phone, to select; hold Shift for a range. Then copy, extend or delete all of them. Undo, or Ctrl Z (⌘ Z), restores what was just deleted.',
    },
    {
      title: 'By keyboard',
      text: 'Arrow keys move between images, Enter opens, Space selects, C copies the URL, E embeds. Press ? for all keys, Ctrl K (⌘ K) to search for anything.',
    },
  ],
}
