// Texts of the tab Images of the admin page.
import { limits } from '../../../contract/plain/limits.ts'

const number = (n: number) => n.toLocaleString('en')
const images = (n: number) => `${number(n)} ${n === 1 ? 'image' : 'images'}`
const was = (n: number) => `${images(n)} ${n === 1 ? 'was' : 'were'}`

export const adminImages = {
  title: 'Images',
  searchLabel: 'Find images',
  search: "Name, ID, URL, owner's email, SHA-256 or address",
  status: 'Status',
  anyStatus: 'All images',
  quarantinedOnly: 'Quarantined',
  count: images,
  /** Infinity: more than are counted. */
  found: (n: number) =>
    Number.isFinite(n) ? `${images(n)} found` : `More than ${number(limits.list.maxCounted)} images found`,
  failed: 'The images could not be loaded',
  moreFailed: 'More images could not be loaded',
  loadingMore: 'Loading more images...',
  none: 'No images match.',
  noneYet: 'No images yet',
  noneYetText: 'What anyone uploads appears here, newest first, to look at, quarantine or remove.',
  clear: 'Clear filters',
  selected: 'Selected images',
  list: 'Images of everyone',
  guest: 'Guest',
  view: (name: string) => `View ${name}`,
  select: (name: string) => `Select ${name}`,
  quarantined: 'Quarantined',
  ownerInactive: 'Owner inactive',
  facts: (size: string, date: string) => `${size}, ${date}`,
}

export const adminLightbox = {
  loading: 'Loading the image...',
  failed: 'The image could not be loaded',
  previous: 'Previous image',
  next: 'Next image',
  position: (at: number, total: number) => (Number.isFinite(total) ? `${number(at)} of ${number(total)}` : number(at)),
  facts: 'About this image',
  id: 'ID',
  owner: 'Owner',
  uploaded: 'Uploaded',
  network: 'Uploaded from',
  networkUnknown: 'Address no longer kept',
  moreFromAddress: 'More from this address',
  blockNetwork: 'Block this network',
  ownNetwork: 'Your own network, which you cannot block',
  expires: 'Expires',
  never: 'Never',
  views: 'Views',
  viewsLeft: 'Views left',
  file: 'File',
  fileOf: (size: string, width: number, height: number) => `${size}, ${width}x${height}`,
  digest: 'SHA-256',
  state: 'State',
  available: 'Available',
  quarantinedSince: (date: string) => `Quarantined since ${date}`,
  ownerInactive: 'Hidden: its owner is inactive',
  resembles: 'Looks like a blocked image',
  showBlock: 'Show the block',
  copy: (what: string) => `Copy ${what}`,
  copied: (what: string) => `${what} copied`,
  ownersImages: 'All images of this owner',
  copies: 'Find copies',
}

export const blockUploaderTexts = {
  label: 'Block',
  title: 'Block this network?',
  text: 'Uploads, registrations and logins from the address that uploaded this image are refused. Others behind the same address are blocked too. You can remove the block on the tab Blocklist.',
  busy: 'Blocking...',
  done: 'The network was blocked',
  failed: 'The network could not be blocked',
}

/** Names of the decisions, what they ask before, and what they say afterwards. */
export const decisions = {
  quarantine: {
    label: 'Quarantine',
    done: (n: number) => `${was(n)} quarantined`,
    failed: 'The images could not be quarantined',
  },
  restore: {
    label: 'Restore',
    done: (n: number) => `${was(n)} restored`,
    failed: 'The images could not be restored',
  },
  remove: {
    label: 'Remove',
    title: (n: number) => (n === 1 ? 'Remove this image?' : `Remove ${images(n)}?`),
    text: 'It is deleted for everyone, its owner included. This action cannot be undone.',
    textOfSeveral: 'They are deleted for everyone, their owners included. This action cannot be undone.',
    busy: 'Removing...',
    done: (n: number) => `${was(n)} removed`,
    failed: 'The images could not be removed',
  },
  block: {
    label: 'Remove and block',
    title: (n: number) => (n === 1 ? 'Remove and block this image?' : `Remove and block ${images(n)}?`),
    text: 'It is deleted, and the same file is refused at upload. Other images with the same bytes, and later uploads that look the same, are quarantined. This action cannot be undone.',
    textOfSeveral:
      'They are deleted, and the same files are refused at upload. Other images with the same bytes, and later uploads that look the same, are quarantined. This action cannot be undone.',
    reason: 'Reason',
    reasonHint: 'Optional, for the blocklist',
    busy: 'Blocking...',
    done: (n: number, copies: number) =>
      copies === 0
        ? `${was(n)} removed and blocked`
        : `${was(n)} removed and blocked, ${number(copies)} ${copies === 1 ? 'copy' : 'copies'} quarantined`,
    failed: 'The images could not be blocked',
  },
}
